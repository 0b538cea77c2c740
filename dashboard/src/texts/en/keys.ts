// The texts of the API keys page. Its readers may not know what an API is.

export const keys = {
  title: 'API keys',
  lead: 'A key lets another program work with your animals: your stock system, a price list, an app. Give each program its own key, so that you can revoke them one by one.',
  reference: 'What programs can do with a key',

  used: (used: number, limit: number) => `${used} of ${limit} keys in use.`,
  full: 'Revoke a key that you do not need, or choose a bigger plan.',
  toPlan: 'Go to your plan',

  make: 'New key',
  label: 'What it is for',
  labelHelp: 'So that you can tell it from others, such as “Stock system”.',
  labelNeeded: 'Please enter what the key is for.',
  scopes: 'Permissions',
  scopesNeeded: 'Choose at least one of these.',
  scopeViews: {
    'pets:read': { label: 'Read animals', help: 'See all animals and their status.' },
    'pets:write': { label: 'Add animals', help: 'Add new animals to your store.' },
    'orders:read': { label: 'Read requests', help: 'See requests, but not the names and contact details of visitors.' },
  },
  end: 'Last day (optional)',
  endHelp: 'The key stops working at the end of that day. Leave this empty for a key that works until you revoke it.',
  endPast: 'This date is in the past. Choose a later one, or leave it empty.',
  action: 'Create key',
  fault: (rest: string) => `This ${rest}`,

  fresh: (label: string) => `The key for “${label}”`,
  once: 'Copy it now and store it safely. You will not be able to see it again.',
  what: 'the key',
  tryIt: 'Open the API reference with this key',
  newTab: '(opens in a new tab)',
  kept: 'I have copied it',
  oldEnds: (display: string, when: string) =>
    `The old key ${display} works until ${when}. Give the new one to your program before that.`,
  oldEnded: (display: string) => `The old key ${display} no longer works.`,

  listLabel: 'Active keys',
  noneTitle: 'No keys yet',
  noneText: 'You need one only if another program works with your animals. Your site needs none.',
  noneWorks: 'There are no active keys.',
  noneViewer: 'No keys have been created yet.',
  viewer: 'You can see the keys. Only admins and owners of the store can create and revoke them.',
  display: (prefix: string, lastFour: string) => `${prefix}…${lastFour}`,
  facts: {
    may: 'Permissions',
    made: 'Created',
    used: 'Last used',
    until: 'Valid until',
    ended: 'Inactive since',
  },
  endless: 'No expiry',
  formerMember: 'Created by a former member',
  deprecated: (count: number) => (count === 1 ? '1 outdated call' : `${count} outdated calls`),
  deprecatedText:
    'This program calls GET /pets/{id}, which will be removed on 5 December 2030. Ask its developer to call GET /pets instead. This count is never reset.',
  deprecatedMore: 'What to change',

  replace: 'Replace',
  replaceOf: (label: string, display: string) => `Replace: ${label}, ${display}`,
  replaceTitle: (label: string) => `Replace the key for “${label}”`,
  replaceText:
    'You get a new key with the same permissions and no expiry date. Choose how long the old one keeps working, so that your program has time to switch.',
  overlap: 'The old key works for',
  overlaps: { '0': '0 minutes (revoke it now)', '3600': '1 hour', '86400': '24 hours', '604800': '7 days' },
  overlapHelp: { '0': 'Choose this if someone else may know the key.', '3600': '', '86400': '', '604800': '' },
  replaceDoes: 'Replace key',

  revoke: 'Revoke',
  revokeOf: (label: string, display: string) => `Revoke: ${label}, ${display}`,
  ask: (label: string) => `Revoke the key for “${label}”?`,
  text: (display: string) =>
    `Anything that uses ${display} stops working within a second. This cannot be undone, but you can create a new key at any time.`,
  revoked: (label: string) => `The key for “${label}” has been revoked.`,

  ended: (count: number) => (count === 1 ? '1 inactive key' : `${count} inactive keys`),
  standings: { accepted: 'Active', expired: 'Expired', revoked: 'Revoked' },
}
