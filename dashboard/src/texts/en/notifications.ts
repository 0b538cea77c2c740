// The texts about mails: which of them a member gets, those to visitors, and the page that turns
// them off.

export const notifications = {
  title: 'Notifications',
  lead: 'The mails that you get about this store. Other members choose for themselves.',
  noMail: 'This Petstore sends no mail',
  noMailText:
    'Your choices are kept, and apply once the people who run it have set up mail. Until then, check the store yourself.',
  yours: 'Mails to you',
  to: (email: string) => `We send them to ${email}.`,
  toAccount: 'Change the address or the language',
  always: 'Mails about the security of your account, and about changes to your role, are always sent.',
  saved: 'Saved',
  choices: { each: 'On', daily: 'Once a day', off: 'Off' },
  requestChoices: { each: 'For each request', daily: 'Once a day', off: 'Off' },
  topics: {
    requests: {
      label: 'New requests',
      help: 'A visitor would like one of your animals. Requests are listed under Requests.',
    },
    reminders: {
      label: 'Changes of open requests',
      help: 'A request has waited for three days, a hold has ended, or a visitor has withdrawn.',
    },
    members: { label: 'New members', help: 'A person has accepted an invitation.' },
    publishing: {
      label: 'Publishing and imports',
      help: 'What you started yourself: publishing that failed, and long imports that have finished.',
    },
    domains: { label: 'Domains that are live', help: 'A domain works for the first time, or works again.' },
    alerts: {
      label: 'Domains that need attention',
      help: 'You have to change something, or visitors cannot get through.',
    },
  },
  alertsOfOwner: 'Always on for owners: without it, a site could be down unnoticed.',
  visitors: {
    title: 'Mails to visitors',
    label: 'Mail visitors about their requests',
    help: 'Visitors who leave an email address get a mail when their request is received, approved, declined or completed, when it expires, when you arrange a visit, and when the animal has found another home. This needs a published site, and an owner who has confirmed their email address.',
    viewer: 'Only admins and owners of the store can change this.',
    isOn: 'Visitors are mailed about their requests.',
    isOff: 'Visitors are not mailed about their requests.',
  },
  unsubscribe: {
    member: {
      title: 'Turn off these mails',
      lead: (topic: string) => `Press the button, and we will no longer mail you about ${topic} in this store.`,
      action: 'Turn off these mails',
      note: 'You can turn them on again under Project settings, Notifications.',
      done: 'These mails are turned off',
      doneLead: (topic: string) => `We will no longer mail you about ${topic} in this store.`,
    },
    invitations: {
      title: 'Do not invite me',
      lead: 'Press the button, and we will no longer mail invitations to your address, for any store.',
      action: 'Do not invite me',
      note: 'If you want to accept the invitation that you got, do not press the button: open the link in the mail.',
      done: 'You will get no more invitations',
      doneLead: 'We will no longer mail invitations to your address.',
    },
    unusable: {
      title: 'This link does not work',
      lead: 'A part of it is missing. Check that you copied the whole link from the mail.',
    },
    toProjects: 'Go to your stores',
  },
}
