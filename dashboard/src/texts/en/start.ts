// What people read on the first page of a project.

const number = new Intl.NumberFormat()

export const start = {
  site: 'Your site',
  newWindow: '(opens in a new window)',
  steps: {
    title: 'The way to your own site',
    done: (done: number, of: number) => `${done} of ${of} steps done`,
    allDone: 'Everything is set up',
    allDoneText: 'Your site is published, and visitors find it at your own domain.',
    isDone: 'Done:',
    isNext: 'Next:',
    isLater: 'Later:',
    viewer: 'Admins and owners of the project take care of these steps.',
    animals: {
      title: 'Add your animals',
      text: 'One by one, or all of them from a table. Nobody sees them before you publish.',
      does: 'Add animals',
    },
    publish: {
      title: 'Publish your site',
      text: 'Look at the words and the colour, then deploy. Visitors can see it a moment later.',
      does: 'Go to Site',
    },
    plan: {
      title: 'Choose a plan with your own domain',
      text: 'Only if you want an address of your own. Your site works without it.',
      does: 'See the plans',
    },
    domain: {
      title: 'Add your domain',
      text: 'Type its name. You are shown which DNS record to create, and where.',
      does: 'Add domain',
    },
    live: {
      title: 'Go live on your domain',
      text: 'Create the record. We see it by ourselves, get the certificate, and then visitors find you there.',
      does: 'See how it stands',
    },
  },
  numbers: {
    title: 'Animals and orders',
    available: 'Available',
    pending: 'Reserved',
    sold: 'Sold',
    openOrders: 'Orders to decide',
    count: (value: number) => number.format(value),
    more: (value: number) => `over ${number.format(value)}`,
  },
  orders: {
    title: 'Last orders',
    all: 'All orders',
    none: 'No orders yet. As soon as a visitor reserves an animal, you see it here.',
    from: (visitor: string) => `from ${visitor}`,
    statuses: {
      placed: 'To decide',
      approved: 'Approved',
      delivered: 'Handed over',
      declined: 'Declined',
      expired: 'Expired',
    },
  },
  publishing: {
    title: 'Site',
    all: 'Versions',
    never: 'Not published yet. Visitors find nothing at the address of your site.',
    visitorsSee: (version: number) => `Visitors see version ${version}, deployed`,
    last: (version: number) => `Version ${version}:`,
    states: { queued: 'Waiting', building: 'Being made', succeeded: 'Published', failed: 'Failed' },
    failedText: 'Visitors still see what they saw before.',
  },
  domains: {
    title: 'Domains',
    all: 'All domains',
    none: 'No domain of your own yet. Your site is found at its default address.',
    groups: {
      live: (count: number) => `${number.format(count)} live`,
      waiting: (count: number) => `${number.format(count)} on the way`,
      needAction: (count: number) => `${number.format(count)} ${count === 1 ? 'needs' : 'need'} you`,
      others: (count: number) => `${number.format(count)} asleep or paused`,
    },
    texts: {
      live: 'Visitors see your site there.',
      waiting: 'There is nothing for you to do. We go on by ourselves.',
      needAction: 'Open it to see what to do.',
      others: 'Open it to see why.',
    },
  },
}
