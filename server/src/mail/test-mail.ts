// The mail that an operator sends to see whether mail works.

import type { Mail } from './mail.ts'

export const testMail: Mail = {
  language: 'en',
  subject: 'Petstore can send mail',
  blocks: [
    { kind: 'heading', text: 'Petstore can send mail' },
    { kind: 'paragraph', text: 'This is the test mail of the command `petstore mail check`. There is nothing to do.' },
  ],
  footer: 'An operator of this Petstore installation requested this mail.',
}
