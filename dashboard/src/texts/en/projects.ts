// The texts of projects: their list, general settings, members and the plan.

const number = new Intl.NumberFormat()

export const projects = {
  title: 'Stores',
  lead: 'Each store has its own animals, requests, site and people.',
  add: 'New store',
  newWindow: '(opens in a new window)',

  suspended: {
    title: 'This store is suspended',
    text: 'The operator of this installation has closed your site and your API. You can read and export everything, and change nothing. The reason is in',
    activity: 'the activity of the store',
  },

  welcome: {
    title: 'Welcome to Petstore',
    lead: 'Let us set up your store. It takes a minute, and visitors see nothing before you publish it.',
    next: [
      { title: 'Name your store', text: 'You can change the name at any time.' },
      { title: 'Add your animals', text: 'One by one, or all at once from a spreadsheet.' },
      { title: 'Publish your site', text: 'Visitors can then see your animals and ask for one.' },
    ],
    invited: 'Were you invited to an existing store? Open the link that you were sent.',
  },

  create: {
    title: 'New store',
    name: 'Name of the store',
    nameHint: 'Shown to people, such as Happy Paws.',
    slug: 'Short name',
    slugHint: 'Part of the address of your site. Lower-case letters, digits and hyphens.',
    forever: 'The short name cannot be changed later and is never reused.',
    noName: 'Enter a name first.',
    noSlug: 'Enter a short name first.',
    checking: 'Checking …',
    isFree: 'This one is available. Your site will be at',
    reasons: {
      taken: (slug: string) =>
        `${slug} is taken. Try adding something of yours, such as the town: ${slug.slice(0, 40)}-london.`,
      reserved: (slug: string) =>
        `${slug} could be mistaken for our own site or that of a company. Choose another one.`,
      invalid: () =>
        'Use lower-case letters, digits and hyphens, at least one letter, and no hyphen at the beginning or the end.',
    },
    action: 'Create the store',
  },

  roles: {
    viewer: { label: 'Viewer', text: 'Sees everything in the store, and changes nothing.' },
    admin: {
      label: 'Admin',
      text: 'Looks after animals, requests, the site, domains and API keys, and invites people.',
    },
    owner: {
      label: 'Owner',
      text: 'Everything an admin does. Also changes roles, removes people and can delete the store.',
    },
  },
  plans: {
    free: { label: 'Free', text: 'A store with a site at a Petstore address.' },
    pro: { label: 'Pro', text: 'Your own domains, and room for a large store.' },
    enterprise: { label: 'Enterprise', text: 'For many domains and as many animals as you want.' },
  },
  planOf: (plan: string) => `${plan} plan`,
  youAre: (role: string) => `You: ${role}`,

  general: {
    title: 'General',
    lead: 'The name of the store, and where its site is found.',
    name: 'Name',
    nameLabel: 'Name of the store',
    nameHint: 'Shown in the dashboard. The title of your site is set under Site.',
    renamed: 'The store has been renamed.',
    viewer: 'Only admins and owners of the store can change the name.',
    address: 'Addresses',
    siteAddress: 'Address of the site',
    siteText: 'Your primary domain once it is live, otherwise the default address.',
    defaultAddress: 'Default address',
    defaultText: 'It always works: while your primary domain is live, it redirects visitors there.',
    copyDefault: 'the default address',
    slug: 'Short name',
    slugText: 'It was chosen when the store was created and cannot be changed.',
    copySite: 'the address of the site',
    copySlug: 'the short name',
  },
  deletion: {
    zone: 'Delete the store',
    text: 'Its animals, requests, site and domains are deleted immediately, for everyone. This cannot be undone.',
    onlyOwners: 'Only owners of the store can delete it.',
    action: 'Delete this store',
    title: (name: string) => `Delete ${name}?`,
    lost: 'Deleted immediately, for everyone:',
    losses: [
      'All animals, categories and requests',
      'The site and all of its versions: visitors will no longer find it',
      'All domains: they can then be added to another store',
      'All API keys: anything that uses them stops working',
      'Members and invitations',
    ],
    slug: (slug: string) => `The short name ${slug} can never be used again, not even by you.`,
    repeat: (slug: string) => `Type ${slug} to confirm`,
    confirm: 'Delete permanently',
    done: (name: string) => `${name} has been deleted.`,
  },

  members: {
    title: 'Members',
    lead: 'The people who work in this store, and their roles.',
    people: 'People',
    count: (count: number, limit: number | null) =>
      limit === null
        ? `${number.format(count)} in the store`
        : `${number.format(count)} of the ${number.format(limit)} people that your plan includes`,
    name: 'Name',
    role: 'Role',
    since: 'Since',
    actions: 'Actions',
    you: 'You',
    roleOf: (name: string) => `Role of ${name}`,
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove ${name} from the store?`,
    removeText: 'They will lose access to the store. Their open invitations will be revoked.',
    removed: (name: string) => `${name} is no longer a member.`,
    leave: 'Leave',
    leaveTitle: 'Leave the store?',
    leaveText: 'You will lose access to it. To come back you will need a new invitation.',
    left: 'You have left the store.',
    lessTitle: 'Give up ownership?',
    lessText: (role: string) =>
      `Your role would be ${role.toLowerCase()}. Only another owner can make you an owner again, so make sure that there is one.`,
    lessDo: 'Give it up',
    viewerTitle: (name: string) => `Make ${name} a viewer?`,
    viewerDo: 'Make a viewer',
    keysOf: {
      lead: (count: number) =>
        count === 1
          ? 'An API key that this person created is still active:'
          : `${number.format(count)} API keys that this person created are still active:`,
      list: 'Active API keys',
      used: 'Last used:',
      question: 'What should happen to these keys?',
      choices: {
        keep: {
          label: 'Keep',
          help: 'Programs that use them continue to work, and so do copies that the person may have.',
        },
        revoke: { label: 'Revoke', help: 'Programs that use them, such as a stock system, stop working immediately.' },
      },
    },
    lastOwner: 'A store needs an owner, and this is the last one',
    lastOwnerText: 'Make someone else an owner first, then try again.',
    onlyOwners: 'Only owners can change roles and remove people.',
    rolesTitle: 'What the roles mean',
  },
  invitations: {
    title: 'Invite a member',
    lead: 'We mail an invitation to the address. Only the person with this address can accept it.',
    leadWithout:
      'This Petstore sends no mail: create a link, and send it yourself. The person who opens it becomes a member, so do not share it with anyone else.',
    noOwner: 'Owners cannot be invited by a link. Invite an admin, and change the role once they have joined.',
    email: 'Email address',
    role: 'Role',
    note: 'Note (optional)',
    noteHint: 'Such as: Jonas, weekends',
    mails: 'Send the invitation',
    mailed: (email: string) => `An invitation was sent to ${email}`,
    mailedUntil: (time: string) =>
      `It can be accepted until ${time}. If nothing arrives, check the address: an address that has declined invitations gets none.`,
    make: 'Create a link',
    made: (email: string) => `The link for ${email} is ready`,
    once: (time: string) => `It works once, until ${time}. Copy it now: it will not be shown again.`,
    copyWhat: 'the link',
    open: 'Open invitations',
    none: 'There are no open invitations.',
    forWhom: 'For whom',
    until: 'Valid until',
    revoke: 'Revoke',
    revokeOf: (email: string) => `Revoke the invitation of ${email}`,
    revoked: 'The invitation has been revoked. Its link no longer works.',
    viewer: 'Only admins and owners of the store can invite people.',
  },

  plan: {
    title: 'Plan',
    lead: 'The limits of this store, and its current usage.',
    current: 'Your plan',
    usage: 'Usage',
    all: 'What each plan includes',
    isYours: 'Your plan',
    isRequested: 'Requested',
    limits: {
      animals: 'Animals',
      members: 'People',
      keys: 'API keys',
      importRows: 'Rows in one import',
      customDomains: 'Custom domains',
      photoBytes: 'Photos',
    },
    of: (used: string, limit: string) => `${used} of ${limit}`,
    none: 'none',
    atMost: (limit: string) => `up to ${limit}`,
    count: (value: number) => number.format(value),
    bytes: (value: number) =>
      value < 1e9 ? `${number.format(Math.ceil(value / 1e6))} MB` : `${number.format(Math.round(value / 1e8) / 10)} GB`,
    moreThan: (value: number) => `more than ${number.format(value)}`,
    almost: 'Close to the limit',
    full: 'Limit reached',
    other: 'Another plan',
    how: 'Choose a plan below and ask for it. Your request is mailed to the operator of this Petstore, who decides.',
    cannotAsk: 'Plans are changed by the people who run this Petstore. Contact them to get another one.',
    ownersAsk: 'Owners of the store can ask for another plan.',
    watching: 'This page updates automatically once the plan has changed.',
    kept: 'Your data is kept when the plan changes.',
    askFor: (plan: string) => `Ask for ${plan}`,
    askTitle: (plan: string) => `Ask for ${plan}?`,
    askText:
      'Your request is mailed to the operator of this Petstore, with your name, your email address and the store.',
    message: 'Message to the operator (optional)',
    messageHelp: 'Such as what you need it for.',
    send: 'Send the request',
    sent: 'Your request was sent to the operator.',
    requests: {
      open: (plan: string, time: string) => `Asked for ${plan} on ${time}. The operator has not answered yet.`,
      granted: (plan: string, time: string) => `The request for ${plan} was granted on ${time}.`,
      declined: (plan: string, time: string) => `The request for ${plan} was declined on ${time}:`,
    },
  },
}
