package code

// sample is a mail and the code in it, empty if it has none.
type sample struct {
	name string
	mail Mail
	want string
}

// englishMails are codes as services write them in English.
var englishMails = []sample{
	{"google prefix", Mail{From: "noreply@google.com", FromName: "Google", Subject: "Google verification code",
		Text: "G-482913 is your Google verification code."}, "G-482913"},
	{"google mail", Mail{From: "no-reply@accounts.google.com", FromName: "Google", Subject: "Google Verification Code",
		Text: "Google Verification Code\n\nDear Google User,\nWe received a request to access your Google Account " +
			"jo@example.com through your email address. Your Google verification code is:\n\n719305\n\nIf you did " +
			"not request this code, it is possible that someone else is trying to access the Google Account " +
			"jo@example.com. Do not forward or give this code to anyone.\n\nSincerely yours,\nThe Google Accounts " +
			"team\n\n© 2024 Google LLC 1600 Amphitheatre Parkway, Mountain View, CA 94043, USA"}, "719305"},
	{"microsoft single-use", Mail{From: "account-security-noreply@accountprotection.microsoft.com",
		FromName: "Microsoft account team", Subject: "Your single-use code",
		Text: "Hi jo@example.com,\n\nWe received your request for a single-use code to use with your Microsoft " +
			"account.\n\nYour single-use code is: 348812\n\nOnly enter this code on an official website or app. " +
			"Don't share it with anyone.\n\nThanks,\nThe Microsoft account team\n\nMicrosoft Corporation, One " +
			"Microsoft Way, Redmond, WA 98052"}, "348812"},
	{"microsoft security code", Mail{Subject: "Microsoft account security code",
		Text: "Microsoft account\nSecurity code\nPlease use the following security code for the Microsoft account " +
			"jo**@example.com.\nSecurity code: 7706512\nIf you don't recognize the Microsoft account, you can click " +
			"here to remove your email address from that account."}, "7706512"},
	{"amazon", Mail{From: "account-update@amazon.com", FromName: "amazon.com", Subject: "amazon.com: Sign-in attempt",
		Text: "Someone who knows your password is attempting to sign-in to your account.\n\nWhen:\tMar 12, 2024 " +
			"09:14 AM Pacific Daylight Time\nDevice:\tGoogle Chrome Windows (Desktop)\nNear:\tWashington, United " +
			"States\n\nIf this was you, your verification code is:\n\n204518\n\nDon't share it with others."},
		"204518"},
	{"amazon otp", Mail{Subject: "Verify your new Amazon account",
		Text: "To verify your email address, please use the following One Time Password (OTP):\n\n663021\n\nDo not " +
			"share this OTP with anyone. Amazon takes your account security very seriously. Amazon Customer Service " +
			"will never ask you to disclose or verify your Amazon password, OTP, credit card, or banking account " +
			"number.\n\nThank you for shopping with us!"}, "663021"},
	{"steam guard", Mail{From: "noreply@steampowered.com", FromName: "Steam Support",
		Subject: "Your Steam account: Access from new computer",
		Text: "Dear jo,\n\nHere is the Steam Guard code you need to login to account jo:\n\n7K9FQ\n\nThis email was " +
			"generated because of a login attempt from a computer located at 203.0.113.9 (DE).\n\nThe Steam Guard " +
			"code is required to complete the login. No one can access your account without also accessing this email."}, "7K9FQ"},
	{"steam letters", Mail{FromName: "Steam", Subject: "Your Steam account: Access from new web or mobile device",
		Text: "Login Code\n\nXBKVN\n\nIf this wasn't you"}, "XBKVN"},
	{"discord", Mail{From: "noreply@discord.com", Subject: "Your Discord email verification code is 5PYV9L",
		Text: "Hey jo,\n\nYour Discord email verification code is:\n\n5PYV9L\n\nIf you didn't attempt to change your " +
			"email, ignore this message."}, "5PYV9L"},
	{"slack", Mail{From: "no-reply@slack.com", FromName: "Slack", Subject: "Slack confirmation code: QRT-7XK",
		Text: "Confirm your email address\nYour confirmation code is below — enter it in your open browser window " +
			"and we'll help you get signed in.\n\nQRT-7XK\n\nIf you didn't request this email, there's nothing to " +
			"worry about, you can safely ignore it.\n\nMade by Slack Technologies, LLC\n500 Howard Street | San " +
			"Francisco, CA 94105"}, "QRT-7XK"},
	{"slack letters", Mail{FromName: "Slack", Subject: "Slack confirmation code: KWD-PZM",
		Text: "Your confirmation code is below — enter it in your open browser window.\n\nKWD-PZM\n\nSlack " +
			"Technologies, 500 Howard Street, San Francisco, CA 94105"}, "KWD-PZM"},
	{"apple", Mail{From: "noreply@email.apple.com", FromName: "Apple", Subject: "Verify your Apple ID email address",
		Text: "Dear Jo,\n\nYou have selected jo@example.com as your new Apple ID. To verify this email address " +
			"belongs to you, enter the code below on the email verification page:\n\n803162\n\nThis code will expire " +
			"three hours after this email was sent.\n\nWhy you received this email.\nApple requires verification " +
			"whenever an email address is selected as an Apple ID.\n\nCopyright © 2024 Apple Distribution " +
			"International, Hollyhill Industrial Estate, Hollyhill, Cork, Ireland."}, "803162"},
	{"apple sms", Mail{Text: "Your Apple ID Code is: 482 913. Don't share it with anyone.\n@apple.com #482913 " +
		"%apple.com"}, "482913"},
	{"telegram", Mail{Text: "Telegram code: 58213\n\nYou can also tap on this link to log in:\nhttps://t.me/login/58213"}, "58213"},
	{"telegram login", Mail{Text: "Login code: 84710. Do not give this code to anyone, even if they say they are " +
		"from Telegram!"}, "84710"},
	{"whatsapp", Mail{Text: "Your WhatsApp code: 417-902\n\nYou can also tap this link to verify your phone: " +
		"v.whatsapp.com/417902\n\nDon't share this code with others"}, "417902"},
	{"wechat", Mail{Text: "[WeChat]Use code (771204) to register on WeChat. Don't forward the code!"}, "771204"},
	{"line", Mail{Text: "LINE verification code: 482017. Do not share this code with others."}, "482017"},
	{"uber", Mail{Text: "Your Uber code is 4821. Never share this code. Reply STOP ALL to +44 7903 561836 to " +
		"unsubscribe."}, "4821"},
	{"lyft right", Mail{Text: "<#> 590213 is your Lyft code\nbXb1Y3QyZ1k"}, "590213"},
	{"instagram spaced", Mail{Text: "<#> 093 271 is your Instagram code. Don't share it. SIYRxKrru1t"}, "093271"},
	{"facebook prefix", Mail{Subject: "FB-48213 is your Facebook confirmation code", FromName: "Facebook",
		Text: "Hi Jo,\n\nYou recently registered for Facebook. To complete your Facebook registration, please " +
			"confirm your account.\n\nConfirm Your Account\n\nYou may be asked to enter this confirmation " +
			"code:\nFB-48213"}, "FB-48213"},
	{"facebook recovery", Mail{Subject: "81920357 is your Facebook account recovery code", FromName: "Facebook",
		Text: "Hi Jo,\nWe received a request to reset your Facebook password.\nEnter the following password reset " +
			"code:\n81920357\nAlternatively, you can directly change your password."}, "81920357"},
	{"twitter", Mail{FromName: "X", Subject: "Your X confirmation code is hk4tz8rw",
		Text: "Confirm your X account\n\nThere's one quick step you need to complete. Please enter this code to get " +
			"started:\n\nhk4tz8rw\n\nThis single-use code expires after two hours."}, "hk4tz8rw"},
	{"github device", Mail{From: "noreply@github.com", FromName: "GitHub",
		Subject: "[GitHub] Please verify your device",
		Text: "Hey jo!\n\nA sign in attempt requires further verification because we did not recognize your device. " +
			"To complete the sign in, enter the verification code on the unrecognized device.\n\nDevice: Firefox on " +
			"Linux\nVerification code: 318804\n\nIf you did not attempt to sign in to your account, your password " +
			"may be compromised. Visit https://github.com/settings/security to create a new, strong password."},
		"318804"},
	{"github launch", Mail{FromName: "GitHub", Subject: "🚀 Your GitHub launch code",
		Text: "Here's your GitHub launch code, @jo!\n\n50217736\n\nContinue signing up for GitHub by entering the " +
			"code below:\n\nOpen GitHub (https://github.com/signup)\n\nNot able to enter the code? Paste the " +
			"following link into your " +
			"browser:\nhttps://github.com/users/jo/emails/31415926/confirm_verification/50217736?via_launch_code_email=true\n\nGitHub, Inc. · 88 Colin P Kelly Jr Street · San Francisco, CA 94107"}, "50217736"},
	{"notion", Mail{Subject: "Your temporary Notion login code is mova-tuki-hasi-relo", FromName: "Notion",
		Text: "Login\n\nClick here to log in with this magic link\n\nOr, copy and paste this temporary login " +
			"code:\n\nmova-tuki-hasi-relo\n\nIf you didn't try to login, you can safely ignore this email."},
		"mova-tuki-hasi-relo"},
	{"linear", Mail{FromName: "Linear", Subject: "Your login code for Linear",
		Text: "Your login code for Linear\n\nLogin to Linear\n\nThis link and code will only be valid for the next 5 " +
			"minutes. If the link does not work, you can use the login verification code directly:\n\nkx119-72q4m\n"},
		"kx119-72q4m"},
	{"steam word form", Mail{Subject: "Your verification code", Text: "Hi, use this code to finish signing " +
		"up:\n\nxqzvkw\n\nIt expires in ten minutes."}, "xqzvkw"},
	{"paypal", Mail{Text: "PayPal: 330915 is your security code. Don't share your code."}, "330915"},
	{"bank with amount", Mail{Text: "Your OTP for transaction of Rs 5000 at FLIPKART on card ending 4410 is 772038. " +
		"Valid for 10 min. Do not share with anyone."}, "772038"},
	{"bank amount first", Mail{Text: "INR 2,499.00 will be debited from a/c XX8812 on 14-03-2024. Use OTP 915532 to " +
		"authorise. Not you? Call 18002586161"}, "915532"},
	{"bank ref", Mail{Text: "DBS: 4411 is not to be shared with anyone. Your one-time PIN is 882014. Ref no. 551209."},
		"882014"},
	{"bank code with reference", Mail{Subject: "Online banking passcode", Text: "Reference: 20240312\nYour one-time " +
		"passcode is 559301\nIt is valid until 14:35.\nCall 0800 123 4567 if you did not ask for it."}, "559301"},
	{"n26", Mail{FromName: "N26", Text: "Use 4403 to confirm the payment of 59,90 EUR to ZALANDO with your N26 card."},
		"4403"},
	{"zoom sign-in", Mail{FromName: "Zoom", Subject: "Code for signing in to Zoom",
		Text: "Your one-time passcode is\n\n540981\n\nThis code will expire in 10 minutes.\nCopyright ©2024 Zoom " +
			"Video Communications, Inc."}, "540981"},
	{"dropbox", Mail{FromName: "Dropbox", Subject: "Dropbox security code", Text: "Hi Jo,\nYour Dropbox security " +
		"code is below:\n\n884 120\n\nThe Dropbox team"}, "884120"},
	{"linkedin subject", Mail{FromName: "LinkedIn", Subject: "Here's your verification code 662190",
		Text: "Hi Jo,\n\nEnter this 6-digit code to verify your identity.\n\nThanks for helping us keep your account " +
			"secure."}, "662190"},
	{"subject only", Mail{Subject: "203948 is your login code", Text: "Thanks for signing in. If this was not you, " +
		"change your password."}, "203948"},
	{"subject only, empty body", Mail{Subject: "Your one-time code: 7719"}, "7719"},
	{"medium word form", Mail{Subject: "Sign in to Medium", Text: "Use this code to sign in:\n\n829133\n\nThis code " +
		"can only be used once and expires in 2 hours."}, "829133"},
	{"gov", Mail{FromName: "Login.gov", Subject: "Your one-time code", Text: "One-time code\n\nYou asked for a " +
		"one-time code to sign in to Login.gov. Enter this code: LK3P9Z\n\nPlease enter this code by 3:15 PM EST. If " +
		"you did not request this, contact us."}, "LK3P9Z"},
	{"gov uk", Mail{FromName: "GOV.UK One Login", Subject: "Confirm your email address",
		Text: "Your security code is:\n\n104 772\n\nIt will expire in 15 minutes.\n\nThis email is from GOV.UK"},
		"104772"},
	{"irs id.me", Mail{Text: "ID.me code: 448820. Never share this code. We will never call or text you for it. Code " +
		"expires in 5 minutes."}, "448820"},
	{"steam mobile word", Mail{Subject: "Reset your password", Text: "We received a request to reset your password. " +
		"Enter this code in the app to continue:\n\n  39 51 77  \n\nIf you didn't ask for this you can ignore " +
		"this email."}, "395177"},
	{"spaced digits", Mail{Subject: "Confirm your e-mail", Text: "Please enter this code to confirm your e-mail " +
		"address:\n\n4 0 8 1 2 9\n\nCheers"}, "408129"},
	{"digits on lines", Mail{Subject: "Verify your account", Text: "Verification code\n5\n0\n7\n3\n1\n8\nThis code " +
		"expires in 15 minutes."}, "507318"},
	{"bold markdown", Mail{Subject: "Sign in", Text: "Your sign-in code is **663 204**.\n\nIt can be used once."},
		"663204"},
	{"brackets", Mail{Text: "[Snapchat] Your login code is [551 902]. Happy Snapping!"}, "551902"},
	{"quotes", Mail{Subject: "Email verification", Text: "Please enter the code '88231' on the registration page."},
		"88231"},
	{"wrapped", Mail{Subject: "Your account", Text: "Hello,\n\nsomebody asked to sign in to your account at Example. " +
		"The verification code\nis 448201. It can be used once and is good for the next fifteen minutes, " +
		"after\nwhich a new one is needed.\n\nExample Inc., 1200 Main St, Springfield, IL 62704"}, "448201"},
	{"wrapped at the number", Mail{Subject: "Access", Text: "To finish setting up your new device please type in the " +
		"security code\n903318 where you were asked for it."}, "903318"},
	{"year-like", Mail{Text: "Your Acme verification code is 2023. It expires in 10 minutes."}, "2023"},
	{"year-like alone", Mail{Subject: "Your login code", Text: "Here is your login code:\n\n1998\n\n© 2024 Acme Ltd"},
		"1998"},
	{"alnum eight", Mail{Subject: "Confirm your registration", Text: "Your activation code: 9XK2MB4T\n\nEnter it on " +
		"the page that asked for it."}, "9XK2MB4T"},
	{"alnum hyphens", Mail{Subject: "Device login", Text: "Enter the code WDJB-MJHT at https://example.com/device to " +
		"sign in your TV."}, "WDJB-MJHT"},
	{"pin mail", Mail{Subject: "Your PIN for registration", Text: "Dear customer,\n\nyour PIN: 8841\n\nplease type " +
		"it in to finish the registration."}, "8841"},
	{"long mail", Mail{FromName: "Acme Bank", Subject: "Confirm your new payee", Text: "Dear Ms Doe,\n\nYou have " +
		"added a new payee in online banking on 12/03/2024 at 10:22.\n\nPayee: John Smith\nAccount: 12345678\nSort " +
		"code: 20-00-00\nAmount: £1,250.00\n\nTo confirm, enter this one-time passcode: 662915\n\nIf you did not do " +
		"this, call us on 0345 734 5345 straight away.\n\nAcme Bank plc. Registered in England No. 1026167. " +
		"Registered office: 1 Churchill Place, London E14 5HP."}, "662915"},
	{"order mail with code", Mail{Subject: "Verify your identity to view order 112-3342",
		Text: "To see order 40291183 please confirm that it is you.\n\nVerification code: 551827\n\nThe code is good " +
			"for 30 minutes."}, "551827"},
	{"mixed with case id", Mail{Subject: "Support portal access code", Text: "Case ID: 00482913\n\nYour access code " +
		"is 338201 and can be used to sign in to the portal.\n\nTicket #77120"}, "338201"},
	{"auth0", Mail{FromName: "Auth0", Subject: "Welcome to Acme", Text: "Auth0\n\nYour verification code is: " +
		"774120\n\nIf you are having any issues with your account, please don't hesitate to contact us by replying " +
		"to this mail."}, "774120"},
	{"okta", Mail{FromName: "Okta", Subject: "One-time verification code", Text: "Hi Jo,\n\nYou are receiving this " +
		"email because a request was made for a one-time code that can be used for authentication.\n\nPlease enter " +
		"the following code for verification:\n\n660215\n\nThis code expires in 5 minutes.\n\nOffice365, Windows11 " +
		"and MP3 are not codes."}, "660215"},
	{"stripe", Mail{FromName: "Stripe", Subject: "Stripe verification code", Text: "Your Stripe verification code " +
		"is: 550-214. Don't share this code with anyone; our employees will never ask for the code."}, "550214"},
	{"ebay", Mail{Text: "eBay: Your security code is 510294. Do not share this code."}, "510294"},
	{"netflix", Mail{Subject: "Netflix: Your sign-in code", Text: "Enter this code to sign in\n\nHi Jo,\nWe got a " +
		"request to sign in to your Netflix account. Enter this code on your device:\n\n7719\n\nThis code will " +
		"expire in 15 minutes.\n\nQuestions? Call 1-844-505-2993\nNetflix Inc., 121 Albright Way, Los Gatos, CA " +
		"95032, U.S.A."}, "7719"},
	{"webotp", Mail{Text: "Your code is 123 987.\n\n@example.com #123987"}, "123987"},
	{"no space before", Mail{Text: "OTP:882301 for login to portal"}, "882301"},
	{"joined", Mail{Text: "Your OTP is882301. Valid for 5 mins"}, "882301"},
	{"typo", Mail{Text: "Your Acme verifcation code is 418820"}, "418820"},
	{"shouting", Mail{Text: "YOUR VERIFICATION CODE IS 552190. DO NOT SHARE IT WITH ANYONE. CALL CENTER 1500888"},
		"552190"},
	{"code then sentence", Mail{Subject: "Verify it's you", Text: "Your code:\n\n661 908\n\nThis code was requested " +
		"from Berlin, Germany at 12:04 on 5 March 2024 from IP 198.51.100.23."}, "661908"},
	{"use to", Mail{Text: "Use 4821 as your login code for Acme."}, "4821"},
	{"enter to", Mail{Text: "Enter 882014 to verify your phone number. Acme will never ask for it."}, "882014"},
	{"only a number", Mail{Subject: "Your sign-in code", Text: "718204"}, "718204"},
	{"token word", Mail{Subject: "Sign in to Acme", Text: "Your login token is: 8c1f0a"}, "8c1f0a"},
	{"temporary password", Mail{Subject: "One-time password", Text: "Your one-time password is KJ82HD7A and is valid " +
		"for 10 minutes."}, "KJ82HD7A"},
	{"recovery", Mail{Subject: "Account recovery", Text: "We received a request to recover your account. Use the " +
		"recovery code 551-029-334 to go on."}, "551029334"},
	{"signature", Mail{Subject: "Please sign: access code", Text: "Your access code to sign the document is " +
		"77120.\n\nDocuSign, 221 Main Street, San Francisco CA 94105"}, "77120"},
	{"newsletter footer", Mail{Subject: "Your Acme code", Text: "Hi! Here's the code to get into your account.\n\n4 " +
		"4 8 2\n\nUnsubscribe | View in browser | 20% off your next order\nAcme, 100 Long Road, Austin TX 78701"},
		"4482"},
	{"approve a payment, passcode", Mail{Subject: "Approve your payment", Text: "Amount: EUR 74.90\nMerchant: BOOKS " +
		"24\nCard: **** 9031\nPasscode: 28840175\n\nDo not disclose this passcode to anyone, including staff."},
		"28840175"},
	{"enter this number", Mail{Subject: "Verify your address", Text: "Since 2019 we have worked to protect your " +
		"account. We ask all customers to verify their address.\n\n1. Open the settings page.\n2. Choose Verify.\n3. " +
		"Enter this number: 719 332.\n\nAcme, 1200 Elm St, Austin TX 78701. Phone 1-800-555-0199."}, "719332"},
	{"characters below", Mail{Subject: "Action required: confirm your email change",
		Text: "To go on, type the six characters below on the page you left open.\n\n  Q7M2XK\n\nIf it was not you, " +
			"reply to this mail. Ticket 448120."}, "Q7M2XK"},
	{"two lower runs", Mail{Subject: "Login for Acme", Text: "If the link does not work, you can use the login " +
		"verification code directly:\n\nwxkpf-trzab"}, "wxkpf-trzab"},
	{"delete account", Mail{Subject: "Delete account", Text: "Enter 338120 to delete your account for good."},
		"338120"},
	{"told in a reply", Mail{Subject: "Re: code please", Text: "it's 662904\n\nOn Mon, 2 Jun 2025 at 18:20, Jo " +
		"wrote:\n> Can you send me the verification code you got for the shared account?"}, "662904"},
	{"into the page", Mail{Subject: "Confirm it's you", Text: "Hi Jo,\n\nA sign-in from a browser we have not seen " +
		"before needs your OK.\n\nType this into the sign-in page:\n\n   338120\n\nGood for ten minutes."}, "338120"},
	{"key in to go ahead", Mail{Subject: "Authorise your transfer of £250.00", Text: "You asked us to send £250.00 " +
		"to J OKAFOR, sort code 20-45-45, account ending 8821.\n\nTo go ahead, key in 33812064 when asked."},
		"33812064"},
	{"one time number", Mail{Subject: "Secure message access", Text: "A message from Dr. Smith is waiting.\n\nTo " +
		"read it, enter the following one time number:\n\n338-120\n\n400 Elm St, Ste 210, Austin, TX 78701"}, "338120"},
	{"numbers into the form", Mail{Subject: "New sign-in", Text: "We noticed you're logging in from a new place. " +
		"Please copy these numbers into the form: 338120."}, "338120"},
	{"email confirmation number", Mail{Subject: "Please confirm your email", Text: "Your email confirmation number " +
		"is below.\n\n338120\n\nEnter it on the confirmation screen to finish."}, "338120"},
}
