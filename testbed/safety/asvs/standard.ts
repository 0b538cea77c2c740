// What the sheet is compared with: chapters and requirement numbers of the OWASP Application Security Verification
// Standard 5.0.0 (May 2025; github.com/OWASP/ASVS, tag v5.0.0_release, the file with the suffix _en.flat.json). Numbers
// and levels only: its sentences are not copied.

export const STANDARD = 'OWASP ASVS 5.0.0'

export const chapters: Readonly<Record<number, string>> = {
  1: 'Encoding and sanitization',
  2: 'Validation and business logic',
  3: 'Web frontend',
  4: 'API and web service',
  5: 'Files',
  6: 'Authentication',
  7: 'Sessions',
  8: 'Authorization',
  9: 'Self-contained tokens',
  10: 'OAuth and OIDC',
  11: 'Cryptography',
  12: 'Secure communication',
  13: 'Configuration',
  14: 'Data protection',
  15: 'Secure coding and architecture',
  16: 'Logging and errors',
}

const numbers = (text: string): readonly string[] => text.trim().split(/\s+/)

/** All 70 of level 1; each must be in the sheet. Chapters 16 and 17 (WebRTC) have none. */
export const levelOne = numbers(`
  1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.3.1 1.3.2 1.5.1
  2.1.1 2.2.1 2.2.2 2.3.1
  3.2.1 3.2.2 3.3.1 3.4.1 3.4.2 3.5.1 3.5.2 3.5.3
  4.1.1 4.4.1
  5.2.1 5.2.2 5.3.1 5.3.2
  6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1 6.3.2 6.4.1 6.4.2
  7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2
  8.1.1 8.2.1 8.2.2 8.3.1
  9.1.1 9.1.2 9.1.3 9.2.1
  10.4.1 10.4.2 10.4.3 10.4.4 10.4.5
  11.3.1 11.3.2 11.4.1
  12.1.1 12.2.1 12.2.2
  13.4.1
  14.2.1 14.3.1
  15.1.1 15.2.1 15.3.1
`)

/** Those of level 2 (of 183) that the sheet has as well, since tests show them. */
export const levelTwo = numbers(`
  1.3.4 1.3.6 1.3.11 2.3.3 2.3.4 2.4.1
  3.3.2 3.3.3 3.3.4 3.4.3 3.4.4 3.4.6 3.7.2
  4.1.3 4.2.1
  5.2.3
  6.2.9 6.2.11 6.5.1 6.5.5
  7.3.1 7.3.2 7.4.3 7.5.1 7.5.2
  8.4.1
  11.3.3 11.4.2
  13.4.4
  14.2.2
  15.2.2 15.3.3
  16.2.5 16.3.1 16.5.1 16.5.2
`)
