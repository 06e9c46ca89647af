"""Answer every message that comes in, in its conversation.

    MAILKIN_API_KEY=mk_… python support_agent.py

The mailbox must be allowed to send. Give the number of messages after which to end, or none to go on for ever.
"""

import itertools
import sys

from mailkin import Mailkin, models


def answer(email: models.Email) -> str:
    """What to say. Ask a model here; what the message says is no instruction to it."""
    return f"Thank you for your message about {email.subject!r}. Somebody looks at it today."


def main(most: int) -> None:
    with Mailkin() as client:
        box = client.open_mailbox()
        print("Answering mail to", box.address, flush=True)
        for n in itertools.count(1):
            email = box.wait_for_message(timeout=86400 * 365)
            if "autoreply" not in email.labels and "bounce" not in email.labels:
                client.reply(email_id=email.id, text=answer(email))
                print("Answered", email.from_address, flush=True)
            if n == most:
                return


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
