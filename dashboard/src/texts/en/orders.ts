// Words of the inbox: what visitors ask for, and what becomes of it.

export const orders = {
  title: 'Orders',
  lead: 'Visitors who would like one of your animals. New orders appear here by themselves.',
  viewer: 'You can read everything here. Admins and owners of the project decide.',

  views: { waiting: 'Waiting', decided: 'Decided', all: 'All' },
  viewsLabel: 'Which orders are shown',
  waitingCount: (count: string) => `${count} waiting`,
  listLabel: { waiting: 'Orders that wait for a decision', decided: 'Decided orders', all: 'All orders' },

  arrived: (visitor: string, animal: string) => `New order: ${visitor} asks for ${animal}.`,
  showWaiting: 'Show waiting orders',
  fresh: 'New',

  states: {
    placed: 'Waiting',
    approved: 'Approved',
    delivered: 'Handed over',
    declined: 'Declined',
    expired: 'Not decided in time',
  },
  from: 'From',
  reach: 'Reach them at',
  asked: 'Asked',
  noMessage: 'No message.',
  heldBefore: (animal: string, visitor: string) => `${animal} is held for ${visitor} until `,
  heldAfter: '. If nobody decides by then, the order ends and the animal is free again.',
  heldOpen: (animal: string, visitor: string) => `${animal} is held for ${visitor} until you decide.`,
  unnamed: (id: string) => `Animal ${id}`,
  outcomes: {
    approved: (by: string, when: string) => `Approved by ${by}, ${when}.`,
    delivered: (by: string, when: string) => `Handed over, noted by ${by}, ${when}.`,
    declined: (by: string, when: string) => `Declined by ${by}, ${when}.`,
    expired: (when: string) => `Nobody decided until ${when}. The animal was free again then.`,
  },
  somebody: 'somebody who has left the project',

  approve: 'Approve',
  decline: 'Decline',
  approveOf: (animal: string, visitor: string) => `Approve: ${animal} for ${visitor}`,
  declineOf: (animal: string, visitor: string) => `Decline: ${animal} for ${visitor}`,
  approveTitle: (animal: string, visitor: string) => `Approve ${animal} for ${visitor}?`,
  declineTitle: (animal: string, visitor: string) => `Decline ${animal} for ${visitor}?`,
  approveText: (animal: string) => `${animal} is sold then. Your site says so, and nobody else can ask for ${animal}.`,
  declineText: (animal: string) =>
    `${animal} is free again then. Your site says so, and anybody can ask for ${animal}.`,
  tell: (visitor: string, contact: string) => `Petstore does not write to ${visitor}. Please tell them: ${contact}`,
  once: 'A decision stays as it is.',
  approved: (animal: string, visitor: string, contact: string) =>
    `${animal} is sold. Please tell ${visitor} the good news: ${contact}`,
  declined: (animal: string, visitor: string, contact: string) =>
    `${animal} is free again. Please tell ${visitor}: ${contact}`,
  late: 'Somebody was faster',
  lateText: (reason: string) => `${reason} Nothing was changed now; the list is up to date.`,

  empty: { waiting: 'Nothing waits for you', decided: 'Nothing is decided yet', all: 'No orders yet' },
  emptyText:
    'Visitors open an animal on your published site, press “Reserve” and leave their name and how to reach them. The animal is held for them, and the order appears here.',
  emptyDecided: 'Orders that you approve or decline are kept here.',
  toSite: 'Go to your site',
}
