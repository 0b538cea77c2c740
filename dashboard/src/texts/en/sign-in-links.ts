// The texts of the mailed sign-in link: where it is offered, and the page that it opens.

export const signInLink = {
  request: 'Mail me a sign-in link',
  sent: (email: string) =>
    `If ${email} has an account, a link is on its way. It works once, for 15 minutes. If nothing arrives, look for a link that we mailed in the last 15 minutes: while it is valid, we do not mail another one.`,
  again: (email: string) => `If ${email} has an account, a new link is on its way. It works once, for 15 minutes.`,
  held: (email: string, time: string) =>
    `We do not mail another link while one of the last 15 minutes is valid. If ${email} has an account, look for that link. If you cannot find it, send again at ${time}.`,
  withoutMail: 'This installation sends no mail. The people who run it can create a link for you.',
  ask: {
    title: 'Sign in',
    lead: 'You opened the link that we mailed to you.',
    action: 'Sign in',
  },
  unusable: {
    title: 'This link no longer works',
    lead: 'It may already have been used, or it is more than 15 minutes old. Check that you copied the whole link.',
    again: 'Back to sign in',
  },
}
