"""Sign up somewhere in a browser, with a mailbox of one's own: fill in the form, wait for the code, enter it.

    python sign_up_browser.py http://127.0.0.1:8000

It needs Selenium and Chromium (Debian: python3-selenium and chromium-driver; as root, CHROMIUM_FLAGS=--no-sandbox).
`sign_up_page.py` is a page to try it on.
"""

import os
import sys

from selenium import webdriver
from selenium.webdriver.common.by import By

from mailkin import Mailkin


def main(url: str) -> None:
    options = webdriver.ChromeOptions()
    for flag in ["--headless=new"] + os.environ.get("CHROMIUM_FLAGS", "").split():
        options.add_argument(flag)
    with Mailkin() as client, webdriver.Chrome(options=options) as browser:
        browser.implicitly_wait(30)
        box = client.bootstrap()
        browser.get(url)
        browser.find_element(By.NAME, "email").send_keys(box.address)
        browser.find_element(By.TAG_NAME, "button").click()
        code = box.wait_for_code(timeout=120)
        print("The code is", code)
        browser.find_element(By.NAME, "code").send_keys(code)
        browser.find_element(By.TAG_NAME, "button").click()
        print(browser.find_element(By.TAG_NAME, "h1").text)


if __name__ == "__main__":
    main(sys.argv[1])
