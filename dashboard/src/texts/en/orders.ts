// The texts of the inbox: the orders of visitors, and their results.

export const orders = {
  title: 'Orders',
  lead: 'Visitors who would like one of your animals. New orders appear here automatically.',
  viewer: 'You can read everything here. Admins and owners of the project decide.',

  views: { waiting: 'Waiting', decided: 'Decided', all: 'All' },
  viewsLabel: 'Which orders are shown',
  waitingCount: (count: string) => `${count} waiting`,
  listLabel: { waiting: 'Orders waiting for a decision', decided: 'Decided orders', all: 'All orders' },

  arrived: (visitor: string, animal: string) => `New order from ${visitor} for ${animal}.`,
  showWaiting: 'Show waiting orders',
  fresh: 'New',

  states: {
    placed: 'Waiting',
    approved: 'Approved',
    delivered: 'Handed over',
    declined: 'Declined',
    expired: 'Not decided in time',
  },
  wants: 'would like',
  reach: 'Reach them at',
  hold: 'Held',
  outcome: 'Decision',
  next: 'Afterwards',
  asked: 'Received',
  noMessage: 'No message.',
  heldBefore: (animal: string, visitor: string) => `${animal} is held for ${visitor} until `,
  heldAfter: ', then becomes available again.',
  heldOpen: (animal: string, visitor: string) => `${animal} is held for ${visitor} until you decide.`,
  unnamed: (id: string) => `Animal ${id}`,
  outcomes: {
    approved: (by: string, when: string) => `Approved by ${by}, ${when}.`,
    delivered: (by: string, when: string) => `Handed over; recorded by ${by}, ${when}.`,
    declined: (by: string, when: string) => `Declined by ${by}, ${when}.`,
    expired: (when: string) => `Expired ${when} without a decision. The animal became available again.`,
  },
  formerMember: 'a former member',

  approve: 'Approve',
  decline: 'Decline',
  approveOf: (animal: string, visitor: string) => `Approve: ${animal} for ${visitor}`,
  declineOf: (animal: string, visitor: string) => `Decline: ${animal} for ${visitor}`,
  approveTitle: (animal: string, visitor: string) => `Approve ${animal} for ${visitor}?`,
  declineTitle: (animal: string, visitor: string) => `Decline ${animal} for ${visitor}?`,
  approveText: (animal: string) => `Your site will show ${animal} as sold. ${animal} can no longer be reserved.`,
  declineText: (animal: string) => `Your site will show ${animal} as available, and anyone can reserve ${animal}.`,
  notifies: (visitor: string) => `${visitor} will be notified.`,
  notNotified: {
    phone: (visitor: string) => `${visitor} will not be notified. Call them once you have decided.`,
    email: (visitor: string) => `${visitor} will not be notified. Write to them once you have decided.`,
    other: (visitor: string) => `${visitor} will not be notified. Contact them once you have decided.`,
  },
  reaching: {
    phone: (visitor: string) => `Call ${visitor}:`,
    email: (visitor: string) => `Write to ${visitor}:`,
    other: (visitor: string) => `Contact ${visitor}:`,
  },
  once: 'You cannot change the decision later.',
  approved: (animal: string, next: string) => `${animal} is sold. ${next}`,
  declined: (animal: string, next: string) => `${animal} is available again. ${next}`,
  late: 'Someone else decided first',
  lateText: (reason: string) => `${reason} Nothing was changed. The list is now up to date.`,

  empty: { waiting: 'No orders to decide', decided: 'No decided orders yet', all: 'No orders yet' },
  emptyText:
    'Visitors open an animal on your published site, choose “Reserve” and leave their name and how to reach them. The animal is held for them, and the order appears here.',
  emptyDecided: 'Orders that you approve or decline are kept here.',
  toSite: 'Go to your site',
}
