"""Sign up somewhere with a mailbox of one's own: fill in the form, wait for the code, enter it.

    python sign_up.py https://shop.example

The form is filled in with httpx here; `sign_up_browser.py` does the same in a browser.
"""

import sys

import httpx

from mailkin import Mailkin


def main(url: str) -> None:
    with Mailkin() as client, httpx.Client(base_url=url) as site:
        box = client.bootstrap()
        site.post("/sign-up", data={"email": box.address}).raise_for_status()
        code = box.wait_for_code(timeout=120)
        print("The code is", code)
        site.post("/confirm", data={"email": box.address, "code": code}).raise_for_status()
        print("Signed up as", box.address)


if __name__ == "__main__":
    main(sys.argv[1])
