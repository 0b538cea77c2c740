// Chapters 6 to 9: accounts, sessions, rights and tokens.

import { documented, inapplicable, shown } from './row.ts'

export const rowsOfAccounts = [
  documented(
    '6.1.1',
    'The page says what is counted, how an operator sets it, and why no attacker locks an owner out.',
    ['docs/operations.md#sign-in-attempts'],
    'testbed/safety/lines/lockout.ts › Strangers who guess passwords lock no owner out',
  ),
  shown(
    '6.2.1',
    'At least 12 characters. 15 are advised where a password stands alone; here a passkey is offered first (decision 7).',
    'server/src/accounts/sign-in/password-rules.test.ts › a new password › must not have %s',
    'testbed/safety/lines/start-and-passwords.ts › Unsafe settings, weak passwords and other spellings of an address are rejected',
  ),
  shown(
    '6.2.2',
    'On the account page.',
    'e2e/dashboard/accounts.test.ts › A user changes their name, ends another session, and changes the password',
  ),
  shown(
    '6.2.3',
    'The current password is required, and guessing it in an open session is limited.',
    'server/test/platform/sign-in.test.ts › a new password › is not accepted with %s',
    'server/test/platform/sign-in.test.ts › attempts › to sign up, and to guess the current password of an open session, are limited too',
  ),
  shown(
    '6.2.4',
    'A list of more than 3,000 that match the rules, compared in any spelling; and nothing built from the address, the name, a project or the service.',
    'server/src/accounts/sign-in/password-rules.test.ts › the list of common passwords › has more than three thousand entries, each in the form in which passwords are compared',
    'server/src/accounts/sign-in/password-rules.test.ts › a new password › must not be common, unlike %s',
  ),
  shown(
    '6.2.5',
    'No kind of character is required or forbidden; five must be different.',
    'server/src/accounts/sign-in/password-rules.test.ts › a new password › may be %s',
  ),
  shown(
    '6.2.6',
    'Hidden until the person asks to see it.',
    'e2e/dashboard/accounts.test.ts › Password fields hide what is typed until it is to be shown, allow pasting, and are known to password managers',
  ),
  shown(
    '6.2.7',
    'Pasting works, and fields are named for password managers.',
    'e2e/dashboard/accounts.test.ts › Password fields hide what is typed until it is to be shown, allow pasting, and are known to password managers',
  ),
  shown(
    '6.2.8',
    'Nothing is cut off and case counts. The one change is NFKC, so that the same characters match however a keyboard sends them (decision 8).',
    'server/src/accounts/sign-in/password.test.ts › a password hash › matches %s: %o',
    'server/test/platform/sign-in.test.ts › signing in › accepts the address in any case, and the password in any Unicode form of the same characters',
  ),
  shown(
    '6.2.9',
    'Up to 256 characters.',
    'server/src/accounts/sign-in/password-rules.test.ts › a new password › must not have %s',
  ),
  shown(
    '6.2.11',
    'The address, the name and the projects of the person, and the name of the service.',
    'server/src/accounts/sign-in/password-rules.test.ts › a new password › must be more than the words of the person, unlike %s',
  ),
  shown(
    '6.3.1',
    'Counters over all processes, a fair password queue, and ways in that strangers cannot use up.',
    'testbed/safety/lines/lockout.ts › Strangers who guess passwords lock no owner out',
    'testbed/safety/lines/counters.ts › No limit grows with the number of processes',
    'server/src/accounts/sign-in/password-queue.test.ts › an attack of 200 attempts a second from 100 groups › keeps none of 50 people on new devices from signing in, within 3 s',
  ),
  shown(
    '6.3.2',
    'There are none: the first person is invited by a command of the operator. Only `npm run dev` creates a demo owner, in a database of its own.',
    'server/test/foundation/schema.test.ts › a new database has no account, no credential, no project and no edge',
  ),
  shown(
    '6.4.1',
    'No password is ever assigned: links of 256 random bits lead to a page on which the person chooses one. They work once and expire.',
    'server/test/mail/sign-up.test.ts › the mailed link creates an account with a verified address, once',
    'server/test/mail/recovery.test.ts › a link is rejected after 30 minutes, and so is one that was never sent',
    'server/test/mail/recovery.test.ts › of fifty parallel uses exactly one succeeds',
  ),
  inapplicable(
    '6.4.2',
    'There are neither hints nor secret questions; an account has an address, a name, a language, passkeys and recovery codes.',
  ),
  shown(
    '6.5.1',
    'Recovery codes and mailed links work once, even in parallel.',
    'server/test/platform/account-security.test.ts › a recovery code › works once, even where it is used in parallel; new codes end earlier ones',
    'server/test/mail/sign-in-links.test.ts › of twenty parallel uses exactly one succeeds',
  ),
  shown(
    '6.5.5',
    'Sign-in links last 15 minutes, links to a new password 30.',
    'server/test/mail/sign-in-links.test.ts › the link is rejected after fifteen minutes, and after a new password',
  ),

  shown(
    '7.2.1',
    'The server looks the session up; pages hold no token that they could judge.',
    'server/test/platform/accounts.test.ts › a request without a valid session › is refused with %s',
    'server/test/platform/contract.test.ts › The OpenAPI document and the server agree › on the need to be signed in, which is checked before anything about a path is revealed',
  ),
  shown(
    '7.2.2',
    'Each sign-in creates a random reference; API keys open no session.',
    'server/test/platform/accounts.test.ts › the cookie › is a new one at every sign-in, and the session of a cookie that was sent ends within ten seconds',
    'server/test/v1/wrong-credential.test.ts › an API key sent to /platform/v1 › is 401 with the credential that is needed: %s',
  ),
  shown(
    '7.2.3',
    '256 bits of the system’s random numbers, stored as a digest.',
    'server/test/platform/accounts.test.ts › the cookie › of a sign-up, a sign-in and a new password has exactly these flags, and no Domain',
    'server/test/platform/accounts.test.ts › the cookie › is stored as a digest only',
  ),
  shown(
    '7.2.4',
    'Signing in and re-authentication begin a new session, and the one whose cookie was sent ends within ten seconds: requests under way still carry it.',
    'server/test/platform/accounts.test.ts › the cookie › is a new one at every sign-in, and the session of a cookie that was sent ends within ten seconds',
    'server/test/platform/reauthentication.test.ts › the password › makes a new session recent; the old one stays as it was, and ends soon',
  ),
  shown(
    '7.3.1',
    'After 30 minutes without use, on a known device after 14 days.',
    'server/test/platform/sign-in.test.ts › a session › on %s ends %i minutes after its last use',
  ),
  shown(
    '7.3.2',
    'After 12 hours, on a known device after 90 days.',
    'server/test/platform/sign-in.test.ts › a session › on %s ends %i hours after it began, however much it is used',
  ),
  shown(
    '7.4.1',
    'Signing out deletes the session; every process refuses it within a second, and open event streams end.',
    'server/test/platform/accounts.test.ts › the cookie › is deleted on signing out',
    'server/test/platform/sign-in.test.ts › a session › that has expired is deleted, and so are tokens that expired long ago; others stay',
    'server/test/platform/watching.test.ts › a stream ends with its session, and with its access token',
  ),
  shown(
    '7.4.2',
    'Deleting an account, by its person or by an operator, ends sessions and tokens. Accounts are not disabled; membership ends at once.',
    'server/test/mail/accounts.test.ts › a deleted account › leaves neither name nor address in any table or log, and its id in the events',
    "server/test/mail/accounts.test.ts › the operator's command › close deletes an account under the same rule, and names a missing one",
  ),
  shown(
    '7.4.3',
    'A new password ends all other sessions and all tokens; a removed passkey ends the sessions that it began.',
    'server/test/platform/sign-in.test.ts › a new password › ends every session but the one that its response begins, and every token',
    'server/test/platform/reauthentication.test.ts › a passkey › that is removed ends the sessions that it began, and no others',
  ),
  shown(
    '7.5.1',
    'What creates a credential, raises rights or cannot be undone needs a password or passkey of the last ten minutes (decision 7).',
    'server/test/platform/reauthentication.test.ts › a stolen cookie, eleven minutes after the last proof, › creates no credential and reads no secret with any operation',
  ),
  shown(
    '7.5.2',
    'The account page lists sessions and ends any. Ending needs no second proof: in an emergency it must be quick.',
    'server/test/platform/accounts.test.ts › sessions › can be revoked one by one, and then are refused',
  ),

  documented(
    '8.1.1',
    'Each operation of the contract has its `access`; the page explains roles, tokens, keys and visitors.',
    ['docs/architecture.md#rights'],
    'testbed/safety/lines/roles.ts › Every operation is open to exactly those whom the contract names',
  ),
  shown(
    '8.2.1',
    'All operations are called by ten kinds of callers; each is let in exactly where the contract says.',
    'testbed/safety/lines/roles.ts › Every operation is open to exactly those whom the contract names',
  ),
  shown(
    '8.2.2',
    'A resource of another project is answered like one that never existed, byte for byte.',
    "server/test/platform/tenancy.test.ts › Another project's resource is answered like one that never existed",
    "server/test/projects/tenancy.test.ts › another project's resource is answered like one that never existed › in everything of the contract that can reference something",
  ),
  shown(
    '8.3.1',
    'Rights are read from the database where they are used; the dashboard contains no rule about them.',
    'testbed/safety/lines/roles.ts › Every operation is open to exactly those whom the contract names',
    'server/test/platform/contract.test.ts › The OpenAPI document and the server agree › on all mounted routes: there is none besides the operations and the document',
  ),
  shown(
    '8.4.1',
    'Every query names its project, and row-level security holds if one does not.',
    'server/test/projects/tenancy-mutants.test.ts › with row-level security, a query without its project filter',
    'server/test/projects/tenancy-mutants.test.ts › a transaction that names no project reads nothing, and can write nothing',
  ),

  shown(
    '9.1.1',
    'Tokens that carry content are those of forms on sites and of links that turn mails off. An HMAC is checked first; sessions, keys and access tokens carry nothing.',
    'server/src/sites/pages/csrf-token.test.ts › a token is valid for nothing else',
    'server/test/mail/invitations.test.ts › "Do not invite me" › does nothing with a code that is not ours',
  ),
  shown(
    '9.1.2',
    'HMAC-SHA-256 alone; the token names no algorithm.',
    'server/src/sites/pages/csrf-token.test.ts › %j is foreign: %s',
    'tools/architecture/server.test.ts › server/src › ciphers and digests are AES-256-GCM and SHA-2',
  ),
  shown(
    '9.1.3',
    'The key is the installation’s own; a token names no key and no source of one.',
    'server/src/sites/pages/csrf-token.test.ts › %j is foreign: %s',
    'server/test/domains/probe.test.ts › an installation with another secret is not us',
  ),
  shown(
    '9.2.1',
    'The token of a form carries its time and is valid for two hours.',
    'server/src/sites/pages/csrf-token.test.ts › a token is valid from the moment it is created, for two hours, and no longer',
    'server/test/sites/reserve.test.ts › a form with mistakes › can be sent for two hours and not for three',
  ),
]
