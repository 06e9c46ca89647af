/** The same with `require`. */

import client = require("@mailkin/client");

export const boxes: Promise<client.Mailbox> = new client.Mailkin().bootstrap();
