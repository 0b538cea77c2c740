// The texts of the requests of visitors, which the API calls orders: the board, the page of one request, and the
// settings. A shelter's animals are adopted, a shop's are sold.

const number = new Intl.NumberFormat()
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = (place: number) => `${number.format(place)}${endings[ordinals.select(place)] ?? 'th'}`

export const orders = {
  title: 'Requests',
  lead: 'Visitors who would like one of your animals. New requests appear here automatically.',
  viewer: 'You can read everything here. Admins and owners of the store decide.',
  back: 'Requests',

  views: { open: 'Open', closed: 'Closed' },
  viewsLabel: 'Which requests are shown',
  boardLabel: 'Open requests by stage',
  closedLabel: 'Closed requests',
  openCount: (count: string) => `${count} open`,
  countOf: (stage: string, count: string) => `${stage}: ${count}`,
  counts: (counts: readonly string[]) => `Open requests. ${counts.join(', ')}.`,
  nothingIn: 'None',
  dropHere: 'Drop here',
  howToMove: 'Drag a request to another stage, or use its menu. Ctrl+Z takes your last change back.',

  arrived: (visitor: string, animal: string) => `New request from ${visitor} for ${animal}.`,
  showOpen: 'Show open requests',
  fresh: 'New',

  stagesLabel: 'Stages',
  isDone: 'Done:',

  moves: {
    contacted: 'Move to Talking',
    visit_set: 'Arrange visit',
    approved: 'Approve',
    handed_over: { shelter: 'Mark as adopted', shop: 'Mark as sold' },
    declined: 'Decline',
    withdrawn: 'Record withdrawal',
    reopened: 'Reopen',
  },
  changeVisit: 'Change visit',
  backToTalking: 'Back to Talking',
  meanings: {
    contacted: (visitor: string) => `You are in contact with ${visitor}. Nothing changes on your site.`,
    visit_set: (visitor: string) => `Set the date and the place; ${visitor} sees both.`,
    approved: (visitor: string) => `${visitor} may have the animal once both of you are ready.`,
    handed_over: (_: string) => 'The animal has left with its new people. Other requests for it will be closed.',
    declined: (visitor: string) => `${visitor} is turned down. Other requests stay open.`,
    withdrawn: (visitor: string) => `${visitor} no longer wants the animal.`,
    reopened: (_: string) => 'The request will be open again.',
  },
  moved: {
    contacted: (visitor: string) => `You are talking with ${visitor}.`,
    visit_set: (visitor: string) => `The visit of ${visitor} is arranged.`,
    approved: (visitor: string, animal: string) => `${animal} is approved for ${visitor}.`,
    handed_over: (visitor: string, animal: string) => `${animal} has found a home with ${visitor}.`,
    declined: (visitor: string) => `The request of ${visitor} is declined.`,
    withdrawn: (visitor: string) => `The request of ${visitor} is withdrawn.`,
    reopened: (visitor: string) => `The request of ${visitor} is open again.`,
  },
  undone: (visitor: string) => `Undone. The request of ${visitor} is as it was.`,
  undo: 'Undo',
  undoFor: (seconds: number) => `Can be undone for ${number.format(seconds)} s.`,
  late: 'Someone else was faster',
  lateText: (reason: string) => `${reason} Nothing was changed. You see the current state now.`,
  menu: (animal: string, visitor: string) => `Actions: ${animal} for ${visitor}`,

  for: (animal: string) => `for ${animal}`,
  pageTitle: (visitor: string, animal: string) => `${visitor} for ${animal}`,
  asked: 'Asked',
  place: (place: number, of: number, animal: string) =>
    of === 1 ? `The only request for ${animal}` : `${ordinal(place)} of ${number.format(of)} who asked for ${animal}`,
  inLine: (place: number, of: number) => `${ordinal(place)} of ${number.format(of)}`,
  unconfirmed: 'Unconfirmed',
  unconfirmedText: (visitor: string) =>
    `No mail has confirmed that this contact belongs to ${visitor}. Make sure that you reach the right person.`,
  notesCount: (count: number) => (count === 1 ? '1 note' : `${number.format(count)} notes`),
  unnamed: (id: string) => `Animal ${id}`,
  noMessage: 'No message.',
  message: 'Message',
  answers: 'Answers',
  noAnswer: 'Not answered',

  next: 'Next step',
  other: 'Other ways',

  visitor: 'Visitor',
  reach: 'Contact',
  confirmed: 'Email address confirmed',
  erased: {
    visitor: 'A visitor',
    after: (days: number) => `Contact details erased after ${number.format(days)} days`,
    wanted: 'The visitor deleted their details',
  },
  toAnimal: (animal: string) => `Page of ${animal}`,
  notifies: (visitor: string) =>
    `${visitor} is notified by mail when you arrange a visit, approve, decline or complete the request: one minute later, so that you can undo it.`,
  notNotified: {
    phone: (visitor: string) => `${visitor} is not notified. Call them.`,
    email: (visitor: string) => `${visitor} is not notified. Write to them.`,
    other: (visitor: string) => `${visitor} is not notified. Contact them.`,
  },

  visit: {
    title: 'Visit',
    dialog: (visitor: string, animal: string) => `Visit of ${visitor} to ${animal}`,
    at: 'Date and time',
    atHelp: 'In the time zone of your device.',
    needsTime: 'Enter the date and the time of the visit.',
    isPast: 'This time is in the past.',
    place: 'Place',
    placeHelp: 'An address, or where to ring. The visitor sees it.',
    action: 'Arrange visit',
    changes: 'Change visit',
  },

  decline: {
    dialog: (visitor: string, animal: string) => `Decline the request of ${visitor} for ${animal}`,
    reason: 'Reason',
    reasonHelp: 'For your records.',
    reasonMailed: 'For your records. The mail puts each reason gently, except “Another reason”.',
    reasons: {
      other_visitor: 'Another visitor was chosen',
      not_a_match: 'The animal and the home do not match',
      not_ready: 'The animal is not ready to leave',
      no_contact: 'The visitor could not be reached',
      other: 'Another reason',
    },
    text: (visitor: string) => `Your sentence to ${visitor} (optional)`,
    textHelp: 'At most 300 characters, without links or email addresses. The mail shows it as your message.',
    action: 'Decline request',
    because: (reason: string) => `Reason: ${reason}`,
    said: 'Your sentence to the visitor',
  },

  hold: {
    title: 'Hold',
    isHeld: (animal: string, visitor: string) => `${animal} is held for ${visitor}.`,
    isHeldUntil: (animal: string, visitor: string) => `${animal} is held for ${visitor} until`,
    short: 'Held until',
    isNot: (animal: string) => `${animal} is not held for this request. Visitors can see and ask for ${animal}.`,
    action: (animal: string) => `Hold ${animal}`,
    dialog: (animal: string, visitor: string) => `Hold ${animal} for ${visitor}`,
    text: (animal: string) =>
      `Your site shows ${animal} as reserved. When the hold ends, the stage of the request stays.`,
    days: 'Days',
    daysHelp: 'From 1 to 30.',
    needsDays: 'Enter a number of days from 1 to 30.',
    releaseOf: (animal: string) => `Release ${animal}`,
    held: (animal: string, visitor: string) => `${animal} is held for ${visitor}.`,
    released: (animal: string) => `${animal} is no longer held.`,
  },

  notes: {
    title: 'Notes',
    help: 'For members only. The visitor does not see them.',
    none: 'No notes yet.',
    label: 'New note',
    add: 'Add note',
    needsText: 'Write something first.',
    added: 'The note has been added.',
    former: 'A former member',
  },

  queue: {
    title: (animal: string) => `All who asked for ${animal}`,
    this: 'This request',
  },

  /** A member records that an animal was adopted; another person adopted it. */
  outcome: (stage: string, who: string, when: string) => `${stage} ${when}, recorded by ${who}`,
  outcomeAlone: (stage: string, when: string) => `${stage} ${when}`,

  empty: { open: 'No open requests', closed: 'No closed requests yet' },
  emptyText:
    'Visitors open an animal on your published site, ask for it, and leave their name and how to reach them. The request appears here, and you decide when the animal is held.',
  emptyClosed: 'Requests that are completed, declined, withdrawn or expired are kept here.',
  toSite: 'Go to your site',

  settings: {
    title: 'Requests',
    lead: 'When an animal is held for a visitor, and what your site shows about requests.',
    viewer: 'Only admins and owners of the store can change these settings.',
    holdTitle: 'Holds',
    rule: 'When a request holds its animal',
    ruleHelp: 'A held animal is shown as reserved. At most one request holds an animal.',
    rules: {
      by_hand: { label: 'Only by hand', help: 'A request changes nothing on your site until you hold the animal.' },
      on_visit: { label: 'When a visit is arranged', help: 'From then on the animal is held for that visitor.' },
      on_approval: {
        label: 'When a request is approved',
        help: 'Recommended: everyone can ask until you have decided.',
      },
      on_first_request: { label: 'With the first request', help: 'First come, first served: others wait in line.' },
    },
    days: 'Days that a hold lasts',
    daysHelp: 'From 1 to 30. When it ends, the animal is available again, and you are notified.',
    needsDays: 'Enter a number of days from 1 to 30.',
    siteTitle: 'On your site',
    showsCount: 'Show how many people have asked for an animal',
    showsCountHelp: 'For example “3 people have asked”. Names are never shown.',
    saved: 'The settings have been saved.',
  },
}
