"""Write to somebody, and again after a few days unless they answer.

    MAILKIN_API_KEY=mk_… python follow_up.py ada@example.com

The second message is scheduled at once, so that it is sent even if this program ends; an answer calls it back.
"""

import sys
from datetime import datetime, timedelta, timezone

from mailkin import Mailkin, WaitTimeoutError


def main(to: str, days: float = 3.0) -> None:
    with Mailkin() as client:
        box = client.open_mailbox()
        later = datetime.now(timezone.utc) + timedelta(days=days)
        first = client.send(to=to, subject="Your order", text="Did it arrive?")
        second = client.send(to=to, subject="Your order", text="Did it arrive by now?", send_at=later)
        print("Asked", to, flush=True)
        try:
            answer = box.wait_for_message(from_=to, timeout=days * 86400)
        except WaitTimeoutError:
            print("No answer: asked again")
            return
        client.cancel_email(id=second.id)
        print(f"Answered ({answer.subject}): the second message, after {first.id}, is called back")


if __name__ == "__main__":
    main(sys.argv[1])
