// The mail with which a visitor's report reaches the operator. In English, like everything for operators. Pure: facts in,
// mail out.

import type { Mail } from '../../mail/mail.ts'

export type SiteReport = {
  slug: string
  /** Where the visitor was. */
  host: string
  message: string
  /** An email address, or empty. */
  contact: string
}

export const reportMails = {
  site_reported({ slug, host, message, contact }: SiteReport): Mail {
    return {
      language: 'en',
      subject: `A visitor reports the site ${slug}`,
      blocks: [
        { kind: 'heading', text: `A visitor reports the site ${slug}` },
        {
          kind: 'facts',
          facts: [
            ['Project', slug],
            ['Address', host],
            ['Report', message],
            ['Visitor', contact === '' ? 'no address given' : contact],
          ],
        },
        {
          kind: 'paragraph',
          text: `To close the site and the API of this project, run: petstore projects suspend --project ${slug} --as NAME --reason "…". Its owners see the name and the reason.`,
        },
      ],
      footer: 'You get this mail because your address is the OPERATOR_EMAIL of this installation.',
    }
  },
}
