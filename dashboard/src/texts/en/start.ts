// The texts of the first page of a project.

const number = new Intl.NumberFormat()

export const start = {
  site: 'Your site',
  newWindow: '(opens in a new window)',
  steps: {
    title: 'Get your site online',
    done: (done: number, of: number) => `${done} of ${of} steps done`,
    allDone: 'Everything is set up',
    allDoneText: 'Your site is published, and visitors find it at your own domain.',
    isDone: 'Done:',
    isNext: 'Next:',
    isLater: 'Later:',
    viewer: 'Admins and owners of the project take care of these steps.',
    animals: {
      title: 'Add your animals',
      text: 'One by one, or all at once from a CSV file. Visitors do not see them before you publish.',
      does: 'Add animals',
    },
    publish: {
      title: 'Publish your site',
      text: 'Check the text and the colour, then deploy. Visitors see the result a moment later.',
      does: 'Go to Site',
    },
    plan: {
      title: 'Choose a plan with your own domain',
      text: 'Only if you want an address of your own. Your site works without it.',
      does: 'See the plans',
    },
    domain: {
      title: 'Add your domain',
      text: 'Enter its name. We show you which DNS record to create, and where.',
      does: 'Add domain',
    },
    live: {
      title: 'Go live on your domain',
      text: 'Create the record. We detect it automatically, obtain the certificate, and your site goes live.',
      does: 'Check the status',
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
    title: 'Latest orders',
    all: 'All orders',
    none: 'No orders yet. When a visitor reserves an animal, the order appears here.',
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
    never: 'Not published yet. There is nothing to see at your site address.',
    visitorsSee: (version: number) => `Visitors see version ${version}, deployed`,
    last: (version: number) => `Version ${version}:`,
    states: { queued: 'Queued', building: 'Building', succeeded: 'Published', failed: 'Failed' },
    failedText: 'Visitors still see the previous version.',
  },
  domains: {
    title: 'Domains',
    all: 'All domains',
    none: 'No domain of your own yet. Your site is found at its default address.',
    groups: {
      live: (count: number) => `${number.format(count)} live`,
      waiting: (count: number) => `${number.format(count)} in progress`,
      needAction: (count: number) => `${number.format(count)} ${count === 1 ? 'needs' : 'need'} attention`,
      others: (count: number) => `${number.format(count)} inactive or paused`,
    },
    texts: {
      live: 'Visitors see your site there.',
      waiting: 'Nothing to do on your side. We continue automatically.',
      needAction: 'Open it to see what to do.',
      others: 'Open it to see why.',
    },
  },
}
