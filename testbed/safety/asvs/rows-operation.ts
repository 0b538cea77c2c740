// Chapters 10 to 16: cryptography, transport, operation and logs.

import { documented, inapplicable, shown } from './row.ts'

const NO_OAUTH =
  'Petstore is no OAuth authorization server, and signs in with no other: people have passwords and passkeys, programs keys and access tokens.'

export const rowsOfOperation = [
  inapplicable('10.4.1', NO_OAUTH),
  inapplicable('10.4.2', NO_OAUTH),
  inapplicable('10.4.3', NO_OAUTH),
  inapplicable('10.4.4', NO_OAUTH),
  inapplicable('10.4.5', NO_OAUTH),

  shown(
    '11.3.1',
    'Private keys of certificates are the only data that we encrypt, with one authenticated cipher.',
    'tools/architecture/server.test.ts › server/src › ciphers and digests are AES-256-GCM and SHA-2',
  ),
  shown(
    '11.3.2',
    'AES-256-GCM.',
    'tools/architecture/server.test.ts › server/src › ciphers and digests are AES-256-GCM and SHA-2',
    'server/src/certificates/key-encryption.test.ts › a seal opens for its purpose, reveals nothing, and is never the same twice',
  ),
  shown(
    '11.3.3',
    'A seal is bound to its hostname, generation and purpose, and any changed bit is refused.',
    'server/src/certificates/key-encryption.test.ts › a seal with any flipped bit is refused',
    'server/test/certificates/secrets.test.ts › a sealed key › does not open in the row of another hostname, of another generation or for another purpose',
  ),
  shown(
    '11.4.1',
    'SHA-256. SHA-1 names versions of responses (ETag) and protects nothing.',
    'tools/architecture/server.test.ts › server/src › ciphers and digests are AES-256-GCM and SHA-2',
  ),
  shown(
    '11.4.2',
    'argon2id, 19 MiB, two passes, a salt for each.',
    'server/src/accounts/sign-in/password.test.ts › a password hash › is argon2id with 19 MiB, two passes and a salt of its own',
  ),

  shown(
    '12.1.1',
    'Caddy speaks TLS 1.2 and 1.3, and prefers 1.3.',
    'e2e/caddy.test.ts › Caddy speaks TLS 1.2 and 1.3, prefers 1.3, and refuses older versions',
    'server/src/edge/caddy-config.test.ts › visitors connect by TLS 1.2 or newer',
  ),
  shown(
    '12.2.1',
    'Plain HTTP serves challenges and redirects to HTTPS. Only default addresses of an installation without certificates (`PLATFORM_TLS=off`) are served in the clear.',
    'e2e/start.test.ts › behind %s Caddy › dashboard and API answer over HTTPS, and plain HTTP is redirected',
    'server/src/edge/decide-response.test.ts › an attached name › redirects %s over plain HTTP to https with %d',
  ),
  shown(
    '12.2.2',
    'Certificates are ordered automatically, at Let’s Encrypt unless configured otherwise; roots of a test authority are rejected in production.',
    'e2e/custom-domains.test.ts › once the record exists, Verify leads to a certificate, and every edge serves the site over HTTPS',
    'e2e/platform-names.test.ts › the name of the dashboard and the API has a certificate, and so has the wildcard, by an executable',
  ),

  shown(
    '13.4.1',
    'A release is a list of files; what is not on it stops the build. Static files are those of two folders, listed at the start.',
    'tools/release/shipped.test.ts › a tree with what a release consists of has no stray file',
    'tools/release/shipped.test.ts › %s is stray (negative control)',
  ),
  shown(
    '13.4.4',
    'TRACE is not allowed.',
    'server/test/sites/pages.test.ts › the headers of a site › %s is not allowed',
  ),

  shown(
    '14.2.1',
    'Keys, tokens and passwords are in headers and bodies. Secrets of links are behind the `#`, which no browser sends, and reach the server in a body. Three links of limited use have theirs in the path (decision 8). A search has its text in the query. No log has either.',
    'server/test/platform/invitations.test.ts › invitations › show the holder of the link who invites to what, even before they have an account',
    'server/test/edge/request-secrets.test.ts › the secrets of a request stay in no log, and neither in the memory nor on the disk of an edge',
    'server/test/v1/authentication.test.ts › a key in the query string › %s is an unknown parameter',
    'server/test/foundation/log.test.ts › no log line shows › a key in the query, or any other part of it',
  ),
  shown(
    '14.2.2',
    'Responses to members are private; those with secrets are not stored at all. Edges cache published pages alone.',
    'server/test/v1/http.test.ts › 200 to GET › %s has a weak ETag, Cache-Control and Vary',
    'server/test/platform/sign-in.test.ts › signing in › is executed and answered in full, whatever the request headers about caching, and is not cacheable',
  ),
  shown(
    '14.3.1',
    'When a session ends, the page leaves its data and asks to sign in. Browser storage has the theme, and the secret of an invitation until it is used. Signing out without a connection hides the data at once, and says that the cookie is still valid.',
    'e2e/dashboard/accounts.test.ts › The next user of the same browser sees no data of the previous one',
    'e2e/dashboard/accounts.test.ts › Signing out without a connection hides the data, and says that the session is still open',
  ),

  documented('15.1.1', 'Time frames by what a vulnerability reaches, and for updates in general.', [
    'SECURITY.md#dependencies',
  ]),
  documented(
    '15.2.1',
    'A step of each release, by a person with the network; the bill of materials names every version, and the lock pins it.',
    ['SECURITY.md#dependencies'],
    'tools/release/sbom.test.ts › the bill is determined by the commit, and lists what is installed and what it brings besides',
    'tools/lock.test.ts › a download address, an unlisted install script and a range are faults',
  ),
  shown(
    '15.2.2',
    'Expensive work has queues, shares and limits of its own; overload is rejected cheaply, neighbours are not affected.',
    'testbed/safety/lines/noisy-neighbour.ts › A noisy neighbour costs other projects neither requests nor time',
    'testbed/safety/lines/overload.ts › Overload leaves the service useful, and monitoring answered',
  ),
  shown(
    '15.3.1',
    'Every response is written from enumerated columns and compared with its schema; internal fields of animals are on no page.',
    'server/test/v1/contract.test.ts › The OpenAPI document and the server agree › on every status of every operation, its schema and its headers',
    'server/test/sites/internal-fields.test.ts › a canary in each internal field is on no page and in no log',
  ),
  shown(
    '15.3.3',
    'Unknown fields of a body are refused, ids of one’s own included.',
    'server/test/platform/accounts.test.ts › signing up › with %s is refused',
  ),

  shown(
    '16.2.5',
    'No line has a key, a header, a body, an address of a person or a typed text.',
    'server/test/foundation/log.test.ts › no log line shows › a key in the query, or any other part of it',
    'server/test/mail/recovery.test.ts › no address and no secret is in the outbox or in a log',
  ),
  shown(
    '16.3.1',
    'Each failure is one line of the log; sign-ins are events of the account.',
    'server/test/platform/sign-in.test.ts › attempts › that fail are one line of the log each, without the address or the password',
    'server/test/platform/account-security.test.ts › the history › tells what happened, by whom, on what device and from where, to its person alone',
  ),
  shown(
    '16.5.1',
    'An unexpected error is `internal_error`; its cause is in the log alone, under the id of the request.',
    'server/test/v1/errors.test.ts › a failure of ours › 500 does not reveal its cause, which is in the log',
  ),
  shown(
    '16.5.2',
    'While PostgreSQL is away, what needs it is 503 with Retry-After, and it recovers without help.',
    'server/test/foundation/outage.test.ts › while PostgreSQL refuses connections › the service is alive but not ready, and becomes ready again automatically',
  ),
]
