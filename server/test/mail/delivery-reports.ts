// Reports as real mail servers send them, built from tables: the envelope of the report and the
// fields of its machine-readable part are those of each server; the texts for people are shortened.

/** What has to become of a report: `suppressed all report 5.1.1`, `noted report 4.4.1`, `ignored delivered`, or why it is not understood. */
export type Sample = { name: string; expected: string; messageFor: (recipient: string) => string }

const MIA = 'mia@dead.example'

type Part = { type: string; body: string; encoding?: string }

const multipart = (headers: readonly string[], reportType: string, parts: readonly Part[]) =>
  [
    ...headers,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${reportType};`,
    '\tboundary="=_report/1763300000"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    ...parts.flatMap(({ type, body, encoding }) => [
      '--=_report/1763300000',
      `Content-Type: ${type}`,
      ...(encoding === undefined ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
      '',
      body,
      '',
    ]),
    '--=_report/1763300000--',
    '',
  ].join('\r\n')

/** How a server writes what it always writes; `group` begins the part about one recipient. */
const servers = {
  postfix: {
    head: [
      'From: MAILER-DAEMON@mx.dead.example (Mail Delivery System)',
      'Subject: Undelivered Mail Returned to Sender',
      'Auto-Submitted: auto-replied',
    ],
    message: [
      'Reporting-MTA: dns; mx.dead.example',
      'X-Postfix-Queue-ID: 4bXyZ12QzP',
      'Arrival-Date: Mon, 16 Nov 2026 15:04:00 +0000 (UTC)',
    ],
    group: [`Final-Recipient: rfc822; ${MIA}`, `Original-Recipient: rfc822;${MIA}`],
  },
  exim: {
    head: [
      'From: Mail Delivery System <Mailer-Daemon@mx.dead.example>',
      'Subject: Mail delivery failed: returning message to sender',
      'Auto-Submitted: auto-replied',
      `X-Failed-Recipients: ${MIA}`,
    ],
    message: ['Reporting-MTA: dns; mx.dead.example'],
    group: [`Final-Recipient: rfc822;${MIA}`],
  },
  exchange: {
    head: [
      'From: postmaster@dead.example',
      'Subject: Undeliverable: Your password was changed',
      'X-MS-Exchange-Message-Is-Ndr:',
    ],
    message: [
      'Reporting-MTA: dns;DB9PR01MB1234.eurprd01.prod.exchangelabs.com',
      'Received-From-MTA: dns;mail.petstore.example',
      'Arrival-Date: Mon, 16 Nov 2026 15:04:00 +0000',
    ],
    group: [`Final-Recipient: rfc822;${MIA}`],
  },
  gmail: {
    head: [
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
      'Subject: Delivery Status Notification (Failure)',
      'Auto-Submitted: auto-replied',
      `X-Failed-Recipients: ${MIA}`,
    ],
    message: [
      'Reporting-MTA: dns; googlemail.com',
      'Arrival-Date: Mon, 16 Nov 2026 07:04:00 -0800 (PST)',
      'X-Original-Message-ID: <mail_0@petstore.example>',
    ],
    group: [`Final-Recipient: rfc822; ${MIA}`],
  },
  ses: {
    head: ['From: MAILER-DAEMON@eu-west-1.amazonses.com', 'Subject: Delivery Status Notification (Failure)'],
    message: ['Reporting-MTA: dns; a4-3.smtp-out.eu-west-1.amazonses.com'],
    group: [`Final-Recipient: rfc822; ${MIA}`],
  },
  sendmail: {
    head: [
      'From: Mail Delivery Subsystem <MAILER-DAEMON@mx.dead.example>',
      'Subject: Returned mail: see transcript for details',
      'Auto-Submitted: auto-generated (failure)',
    ],
    message: ['Reporting-MTA: dns; mx.dead.example', 'Received-From-MTA: DNS; mail.petstore.example'],
    group: [`Final-Recipient: RFC822; ${MIA}`, `X-Actual-Recipient: RFC822; ${MIA}`],
  },
} as const

type Group = { action: string; status: string; diagnostic?: string }

const groupText = (server: keyof typeof servers, { action, status, diagnostic }: Group) =>
  [
    ...servers[server].group,
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; mx.dead.example',
    ...(diagnostic === undefined ? [] : [`Diagnostic-Code: ${diagnostic}`]),
  ].join('\r\n')

type Variant = { type?: string; encoding?: 'base64'; recipientHeader?: string; change?: (message: string) => string }

function reportOf(server: keyof typeof servers, groups: readonly Group[], variant: Variant, recipient: string): string {
  const {
    type = 'message/delivery-status',
    encoding,
    recipientHeader = 'To',
    change = (text: string) => text,
  } = variant
  const status = [servers[server].message.join('\r\n'), ...groups.map((group) => groupText(server, group))].join(
    '\r\n\r\n',
  )
  const parts: Part[] = [
    { type: 'text/plain; charset=us-ascii', body: `Your message to <${MIA}> could not be delivered.` },
    encoding === undefined
      ? { type, body: `${status}\r\n` }
      : { type, encoding, body: Buffer.from(status).toString('base64').replaceAll(/.{76}/g, '$&\r\n') },
    {
      type: 'message/rfc822',
      body: `From: no-reply@petstore.example\r\nTo: ${MIA}\r\nSubject: Your password was changed\r\n\r\nHello`,
    },
  ]
  return change(multipart([...servers[server].head, `${recipientHeader}: ${recipient}`], 'delivery-status', parts))
}

/** Server, what it reports about, action, status, diagnostic code, and what has to become of it. */
const single: readonly (readonly [keyof typeof servers, string, string, string, string | undefined, string])[] = [
  [
    'postfix',
    'unknown user at the next server',
    'failed',
    '5.1.1',
    `smtp; 550 5.1.1 <${MIA}>: Recipient address rejected:\r\n    User unknown in virtual mailbox table`,
    'suppressed all report 5.1.1',
  ],
  [
    'postfix',
    'unknown user of its own',
    'failed',
    '5.1.1',
    'X-Postfix; unknown user: "mia"',
    'suppressed all report 5.1.1',
  ],
  [
    'postfix',
    'domain without a server',
    'failed',
    '5.4.4',
    'X-Postfix; Host or domain name not found. Name service error',
    'noted report 5.4.4',
  ],
  [
    'postfix',
    'delayed',
    'delayed',
    '4.4.1',
    'X-Postfix; connect to mx.dead.example[192.0.2.1]:25: Connection timed out',
    'noted report 4.4.1',
  ],
  [
    'postfix',
    'given up after days',
    'failed',
    '4.4.1',
    'X-Postfix; connect to mx.dead.example[192.0.2.1]:25: Connection timed out',
    'noted report 4.4.1',
  ],
  [
    'postfix',
    'full mailbox',
    'failed',
    '5.2.2',
    `smtp; 552 5.2.2 <${MIA}>: Quota exceeded (mailbox for user is full)`,
    'noted report 5.2.2',
  ],
  [
    'postfix',
    'policy',
    'failed',
    '5.7.1',
    'smtp; 554 5.7.1 Service unavailable; Client host blocked using zen.spamhaus.example',
    'noted report 5.7.1',
  ],
  ['postfix', 'too large', 'failed', '5.3.4', 'smtp; 552 5.3.4 Message size exceeds fixed limit', 'noted report 5.3.4'],
  ['postfix', 'delivered', 'delivered', '2.0.0', 'smtp; 250 2.0.0 Ok: queued as 4bXyZ', 'ignored delivered'],
  ['postfix', 'relayed', 'relayed', '2.0.0', 'smtp; 250 2.0.0 Ok', 'ignored delivered'],
  [
    'exim',
    'unknown user, with the general code',
    'failed',
    '5.0.0',
    'smtp; 550 5.1.1 No such user here',
    'suppressed all report 5.1.1',
  ],
  [
    'exim',
    'a rejection without an enhanced code',
    'failed',
    '5.0.0',
    'smtp; 550 No such user here',
    'noted report 5.0.0',
  ],
  ['exim', 'delayed', 'delayed', '4.0.0', undefined, 'noted report 4.0.0'],
  ['exim', 'full mailbox', 'failed', '5.0.0', 'smtp; 552 5.2.2 Over quota', 'noted report 5.2.2'],
  [
    'exim',
    'given up after days',
    'failed',
    '5.0.0',
    'smtp; 451 4.7.1 Greylisted, please try again',
    'noted report 4.7.1',
  ],
  [
    'exchange',
    'unknown user',
    'failed',
    '5.1.1',
    'smtp;550 5.1.1 RESOLVER.ADR.RecipNotFound; not found',
    'suppressed all report 5.1.1',
  ],
  [
    'exchange',
    'unknown user at Microsoft 365',
    'failed',
    '5.1.10',
    'smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    'suppressed all report 5.1.10',
  ],
  [
    'exchange',
    'rejected by its edge',
    'failed',
    '5.4.1',
    'smtp;550 5.4.1 Recipient address rejected: Access denied.',
    'noted report 5.4.1',
  ],
  [
    'exchange',
    'closed group',
    'failed',
    '5.7.133',
    'smtp;550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup',
    'noted report 5.7.133',
  ],
  [
    'exchange',
    'full mailbox',
    'failed',
    '5.2.2',
    'smtp;554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException',
    'noted report 5.2.2',
  ],
  [
    'exchange',
    'sender blocked, not the recipient',
    'failed',
    '5.1.8',
    'smtp;550 5.1.8 Access denied, bad outbound sender',
    'noted report 5.1.8',
  ],
  ['exchange', 'expired', 'failed', '4.4.7', 'smtp;550 4.4.7 QUEUE.Expired; message expired', 'noted report 4.4.7'],
  [
    'gmail',
    'unknown user',
    'failed',
    '5.1.1',
    'smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try\r\n 550 5.1.1 double-checking the address - gsmtp',
    'suppressed all report 5.1.1',
  ],
  [
    'gmail',
    'full mailbox',
    'delayed',
    '4.2.2',
    "smtp; 452-4.2.2 The recipient's inbox is out of storage space.",
    'noted report 4.2.2',
  ],
  [
    'gmail',
    'inactive account',
    'failed',
    '5.2.1',
    'smtp; 550-5.2.1 The email account that you tried to reach is inactive.',
    'noted report 5.2.1',
  ],
  [
    'gmail',
    'unauthenticated sender',
    'failed',
    '5.7.26',
    'smtp; 550-5.7.26 This mail has been blocked because the sender is unauthenticated.',
    'noted report 5.7.26',
  ],
  ['ses', 'unknown user', 'failed', '5.1.1', 'smtp; 550 5.1.1 user unknown', 'suppressed all report 5.1.1'],
  [
    'ses',
    'on its own suppression list',
    'failed',
    '5.1.1',
    'smtp; 550 5.1.1 Amazon SES did not send the message to this address because it is on the suppression list',
    'suppressed all report 5.1.1',
  ],
  [
    'ses',
    'expired',
    'failed',
    '4.4.7',
    'smtp; 554 4.4.7 Message expired: unable to deliver in 840 minutes.',
    'noted report 4.4.7',
  ],
  [
    'ses',
    'quoted with the code first',
    'failed',
    '5.0.0',
    "smtp; 5.1.0 - Unknown address error 550-'5.1.1 user unknown' (delivery attempts: 0)",
    'suppressed all report 5.1.0',
  ],
  ['sendmail', 'unknown host', 'failed', '5.1.2', undefined, 'suppressed all report 5.1.2'],
  [
    'sendmail',
    'invalid address, with a comment',
    'failed',
    '5.1.3 (bad destination mailbox address syntax)',
    'SMTP; 553 5.1.3 User address required',
    'suppressed all report 5.1.3',
  ],
]

const DEAD: Group = { action: 'failed', status: '5.1.1' }
const DELIVERED: Group = { action: 'delivered', status: '2.0.0' }

const several: readonly (readonly [string, readonly Group[], Variant, string])[] = [
  ['one of two addresses behind an alias is dead', [DEAD, DELIVERED], {}, 'noted report 5.1.1'],
  ['both addresses behind an alias are dead', [DEAD, DEAD], {}, 'suppressed all report 5.1.1'],
  ['no result at all', [], {}, 'ignored no result'],
  ['an internationalised report', [DEAD], { type: 'message/global-delivery-status' }, 'suppressed all report 5.1.1'],
  ['in base64', [DEAD], { encoding: 'base64' }, 'suppressed all report 5.1.1'],
  ['with line feeds alone', [DEAD], { change: (text) => text.replaceAll('\r\n', '\n') }, 'suppressed all report 5.1.1'],
  [
    'to an address in capitals',
    [DEAD],
    { change: (text) => text.replaceAll(/bounce\+\S+/g, (address) => address.toUpperCase()) },
    'suppressed all report 5.1.1',
  ],
  ['with the recipient in Delivered-To', [DEAD], { recipientHeader: 'Delivered-To' }, 'suppressed all report 5.1.1'],
  ['with the recipient in X-Original-To', [DEAD], { recipientHeader: 'X-Original-To' }, 'suppressed all report 5.1.1'],
  [
    'with our address in a field that the report makes up',
    [DEAD],
    { recipientHeader: 'Original-Envelope-Id' },
    'no valid code',
  ],
]

const feedbackParts = (fields: readonly string[]): Part[] => [
  { type: 'text/plain; charset="US-ASCII"', body: 'This is an email abuse report for an email message.' },
  { type: 'message/feedback-report', body: `${['Version: 1', ...fields].join('\r\n')}\r\n` },
  {
    type: 'message/rfc822',
    body: `From: no-reply@petstore.example\r\nTo: ${MIA}\r\nSubject: Jonas joined Happy Paws\r\n\r\nHello`,
  },
]

const complaintOf = (provider: string, to: string, fields: readonly string[]) =>
  multipart(
    [`From: <fbl@${provider}>`, `To: ${to}`, 'Subject: FW: Jonas joined Happy Paws'],
    'feedback-report',
    feedbackParts(fields),
  )

/** Provider, type, whether the report goes to our address or only quotes it, and what has to become of it. */
const complaints: readonly (readonly [string, string, 'to' | 'quoted', string])[] = [
  ['arf.mail.yahoo.com', 'abuse', 'to', 'suppressed optional complaint abuse'],
  ['feedback.comcast.net', 'abuse', 'quoted', 'suppressed optional complaint abuse'],
  ['staff.hotmail.com', 'abuse', 'quoted', 'suppressed optional complaint abuse'],
  ['fbl.laposte.net', 'fraud', 'to', 'suppressed optional complaint fraud'],
  ['fbl.terra.com', 'opt-out', 'to', 'suppressed optional complaint opt-out'],
  ['fbl.provider.example', 'x-of-their-own', 'to', 'suppressed optional complaint other'],
  ['fbl.fastmail.com', 'not-spam', 'to', 'ignored not spam'],
  ['dmarc.linkedin.com', 'auth-failure', 'to', 'ignored report about a signature'],
]

const plain = (subject: string, headers: readonly string[], body: string) => (recipient: string) =>
  [`To: ${recipient}`, `Subject: ${subject}`, ...headers, 'Content-Type: text/plain', '', body, ''].join('\r\n')

const others: readonly Sample[] = [
  {
    name: 'qmail, whose notices are for people',
    expected: 'no report',
    messageFor: plain(
      'failure notice',
      ['From: MAILER-DAEMON@mx.dead.example'],
      `Hi. This is the qmail-send program.\r\n<${MIA}>:\r\n192.0.2.1 does not like recipient.\r\nRemote host said: 550 5.1.1 user unknown`,
    ),
  },
  {
    name: 'a vacation reply',
    expected: 'no report',
    messageFor: plain(
      'Away until Monday',
      ['Auto-Submitted: auto-replied (vacation)', 'Precedence: bulk'],
      'I am away.',
    ),
  },
  { name: 'spam', expected: 'no report', messageFor: plain('Cheap watches', [], 'Status: 5.1.1\r\nAction: failed') },
  {
    name: 'a confirmation of reading',
    expected: 'no report',
    messageFor: (recipient) =>
      multipart([`To: ${recipient}`], 'disposition-notification', [
        {
          type: 'message/disposition-notification',
          body: `Final-Recipient: rfc822;${MIA}\r\nDisposition: manual-action/MDN-sent-manually; displayed`,
        },
      ]),
  },
  {
    name: 'a person who forwards a report',
    expected: 'no report',
    messageFor: (recipient) =>
      reportOf('postfix', [DEAD], {}, recipient).replace('multipart/report', 'multipart/mixed'),
  },
]

export const samples: readonly Sample[] = [
  ...single.map(([server, about, action, status, diagnostic, expected]) => ({
    name: `${server}: ${about}`,
    expected,
    messageFor: (to: string) =>
      reportOf(server, [{ action, status, ...(diagnostic !== undefined && { diagnostic }) }], {}, to),
  })),
  ...several.map(([name, groups, variant, expected]) => ({
    name,
    expected,
    messageFor: (to: string) => reportOf('postfix', groups, variant, to),
  })),
  ...complaints.map(([provider, type, where, expected]) => ({
    name: `a complaint from ${provider}: ${type}`,
    expected,
    messageFor: (to: string) =>
      complaintOf(provider, where === 'to' ? to : 'complaints@petstore.example', [
        `Feedback-Type: ${type}`,
        'User-Agent: SomeGenerator/1.0',
        `Original-Rcpt-To: <${MIA}>`,
        ...(where === 'quoted' ? [`Original-Mail-From: <${to}>`] : []),
      ]),
  })),
  ...others,
]

/** A report that would suppress its address. */
export const deadReport = (recipient: string): string => reportOf('postfix', [DEAD], {}, recipient)
