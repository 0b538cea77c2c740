// Words of the page of API keys. Whoever reads it may never have heard of an interface.

export const keys = {
  title: 'API keys',
  lead: 'With a key, another program can work with your animals: your stock system, a price list, an app. Give each program its own key, so that you can take it away again.',
  reference: 'What programs can do with a key',

  used: (used: number, limit: number) => `${used} of ${limit} keys in use.`,
  usedEndless: (used: number) => (used === 1 ? '1 key in use.' : `${used} keys in use.`),
  full: 'Revoke a key that you do not need, or choose a bigger plan.',
  toPlan: 'Go to your plan',

  make: 'New key',
  label: 'What it is for',
  labelHelp: 'So that you can tell it from others, such as “Stock system”.',
  labelNeeded: 'Please say what the key is for.',
  scopes: 'What it may do',
  scopesNeeded: 'Choose at least one of these.',
  scopeViews: {
    'pets:read': { label: 'Read animals', help: 'See all animals and their status.' },
    'pets:write': { label: 'Add animals', help: 'Put new animals into your store.' },
    'orders:read': { label: 'Read orders', help: 'See orders, but not who asked: names and contacts stay here.' },
  },
  end: 'Last day (optional)',
  endHelp: 'The key stops working at the end of that day. Leave it empty, and it works until you revoke it.',
  endPast: 'This day is over. Choose a later one, or leave it empty.',
  does: 'Make key',
  fault: (rest: string) => `This ${rest}`,

  fresh: (label: string) => `The key for “${label}”`,
  once: 'Copy it now and keep it safe. It is shown this once, and never again.',
  what: 'the key',
  tryIt: 'Open the API reference with this key',
  newTab: '(opens in a new tab)',
  kept: 'I have copied it',
  oldEnds: (display: string, when: string) =>
    `The old key ${display} works until ${when}. Give the new one to your program before that.`,
  oldEnded: (display: string) => `The old key ${display} does not work any more.`,

  listLabel: 'Keys that work',
  noneTitle: 'No keys yet',
  noneText: 'You need one only if another program works with your animals. Your site needs none.',
  noneWorks: 'No key works at the moment.',
  noneViewer: 'Nobody has made one so far.',
  viewer: 'You can see which keys there are. Admins and owners of the project make and revoke them.',
  display: (prefix: string, lastFour: string) => `${prefix}…${lastFour}`,
  facts: { key: 'Key', may: 'May', made: 'Made', used: 'Last used', until: 'Works until', ended: 'Ended' },
  endless: 'you revoke it',
  deprecated: (count: number) => (count === 1 ? '1 outdated call' : `${count} outdated calls`),
  deprecatedText:
    'This program asks for single animals with GET /pets/{id}. That ends on 5 December 2030. Ask whoever looks after the program to use the list of animals, GET /pets, instead. The count does not go back.',
  deprecatedMore: 'What to change',

  replace: 'Replace',
  replaceOf: (label: string, display: string) => `Replace: ${label}, ${display}`,
  replaceTitle: (label: string) => `Replace the key for “${label}”`,
  replaceText:
    'You get a new key that may do the same, without a last day. Choose how long the old one goes on working, so that your program never stands still.',
  overlap: 'The old key works for',
  overlaps: { '0': 'no longer: it ends at once', '3600': '1 hour', '86400': '24 hours', '604800': '7 days' },
  overlapHelp: { '0': 'Choose this if somebody else may know it.', '3600': '', '86400': '', '604800': '' },
  replaceDoes: 'Replace key',

  revoke: 'Revoke',
  revokeOf: (label: string, display: string) => `Revoke: ${label}, ${display}`,
  ask: (label: string) => `Revoke the key for “${label}”?`,
  text: (display: string) =>
    `Whatever uses ${display} stops working within a second. This cannot be taken back; you can make a new key at any time.`,
  revoked: (label: string) => `The key for “${label}” does not work any more.`,

  ended: (count: number) => (count === 1 ? '1 key that has ended' : `${count} keys that have ended`),
  standings: { accepted: 'Works', expired: 'Over', revoked: 'Revoked' },
}
