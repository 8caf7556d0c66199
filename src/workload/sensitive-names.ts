/** What the name of a parameter says of its values: certainly secret or personal, perhaps (the value decides), or nothing. */
export type NameVerdict = 'sensitive' | 'perhaps' | undefined;

const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Terms of one word; as a part of a name they stand alone: `reset_token`, not `tokenizer`. */
const SINGLE = new Set(
  wordsIn(`
    password passwd passphrase passcode pass pwd pw pswd secret token jwt bearer credential credentials creds
    auth authorization otp totp hotp sig signature hmac csrf xsrf cvv cvc apikey
    email emailaddress phone telephone tel msisdn ssn iban passport dob surname birthday birthdate username
    imei imsi street fname lname passwort kennwort contrasena clave senha mdp`),
);

/** Terms of several words, however they are joined: `client_secret`, `clientSecret`, `clientsecret`. */
const JOINED = new Set(
  wordsIn(`
    apikey accesskey privatekey secretkey signingkey encryptionkey sessionkey sharedkey licensekey licencekey
    clientsecret accesstoken refreshtoken idtoken authtoken csrftoken securitytoken oauthtoken bearertoken
    authcode authorizationcode verificationcode verifycode securitycode accesscode passcode onetimecode otpcode
    smscode mfacode totpcode logincode resetcode recoverycode backupcode confirmationcode confirmcode
    activationcode invitecode invitationcode devicecode usercode pincode codeverifier
    sessionid sessid sessiontoken phpsessid jsessionid aspsessionid aspxauth samlresponse samlrequest
    userpassword userpass motdepasse securityanswer secretanswer newpassword oldpassword currentpassword confirmpassword
    email emailaddress phonenumber phoneno telephonenumber mobilenumber mobilephone cellphone
    socialsecurity socialsecuritynumber nationalid nationalinsurance nationalidnumber taxid taxnumber
    passportnumber passportno drivinglicence drivinglicense driverslicense
    cardnumber cardno creditcard creditcardnumber debitcard ccnumber ccnum cardholder accountnumber bankaccount
    iban sortcode routingnumber dateofbirth birthdate birthday firstname lastname fullname middlename givenname
    familyname maidenname realname username homeaddress postaladdress streetaddress billingaddress
    shippingaddress`),
);

/** Ordinary words that are also names of secrets and of what says who somebody is: `state=CA`, `state=8fJ2kQ…`. */
const PERHAPS = new Set(
  wordsIn(`
    code state session sess sid access invite link grant key pin nonce ticket hash challenge cookie sign card cc pan sso magic relaystate
    mobile cell mail address tin sin tan mac assertion login user uid customer zip vat lat lon lng latitude longitude`),
);

/** Of these, words before them say that they are ordinary: `country_code`, `content_hash`. */
const ALONE = new Set(wordsIn('code hash tin sin tan mac pan cc user login zip'));

/** What is told about a secret is none: `token_type`, `password_hint`, `session_timeout`. */
const ABOUT = new Set(
  wordsIn(`
    type kind count length size status state enabled disabled format version verified required valid expires
    expiry expiration ttl timeout limit min max policy method provider strength sent date time model template symbol brand carrier subject list domain`),
);

/** `userID2` → `user`, `id`; `APIKey` → `api`, `key`; `card[number]` → `card`, `number`. */
export const wordsOfName = (name: string): readonly string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/^\d+|\d+$/g, ''))
    .filter((word) => word !== '');

const MOST_WORDS_OF_A_TERM = 3;

function verdictOf(name: string): NameVerdict {
  const words = wordsOfName(name);
  for (let from = 0; from < words.length; from += 1)
    for (let count = 2; count <= MOST_WORDS_OF_A_TERM && from + count <= words.length; count += 1)
      if (JOINED.has(words.slice(from, from + count).join(''))) return saysOf(words, from + count);
  const at = words.findIndex((word) => SINGLE.has(word) || JOINED.has(word));
  if (at >= 0) return saysOf(words, at + 1);
  const last = words.at(-1);
  if (last === undefined || !PERHAPS.has(last)) return undefined;
  return words.length === 1 || !ALONE.has(last) ? 'perhaps' : undefined;
}

const saysOf = (words: readonly string[], behind: number): NameVerdict =>
  behind < words.length && ABOUT.has(words.at(-1)!) ? undefined : 'sensitive';

const MOST_REMEMBERED = 10_000;
const remembered = new Map<string, NameVerdict>();

/** What a name says of its values. Words are told apart by case, digits at their ends and anything but letters. */
export function nameVerdict(name: string): NameVerdict {
  if (remembered.has(name)) return remembered.get(name);
  // Names can come from whoever sends requests.
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const verdict = verdictOf(name);
  remembered.set(name, verdict);
  return verdict;
}
