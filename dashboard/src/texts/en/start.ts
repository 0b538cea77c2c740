// The texts of the first page of a project.

const number = new Intl.NumberFormat()
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' })
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' })
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const small = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']
/** A number at the beginning of a sentence. */
const spelled = (count: number) => small[count] ?? number.format(count)

export const start = {
  greeting: {
    morning: 'Good morning',
    afternoon: 'Good afternoon',
    evening: 'Good evening',
    to: (greeting: string, name: string) => (name === '' ? greeting : `${greeting}, ${name}`),
    day: (date: Date) => `${weekday.format(date)}, ${dayAndMonth.format(date)}.`,
    things: (count: number) =>
      `${spelled(count)} ${count === 1 ? 'thing' : 'things'} to do; everything else runs automatically.`,
    nothing: 'Nothing to do; everything runs automatically.',
    setUp: 'Let us get your site online.',
  },
  viewSite: 'View site',
  newWindow: '(opens in a new window)',
  todo: {
    title: 'To do',
    none: 'Nothing to do.',
    noneText: 'New requests, and anything that needs your decision, appear here automatically.',
    order: {
      title: (visitor: string, animal: string) => `${visitor} asks for ${animal}`,
      message: (words: string) => `“${words}”`,
      /** A day and its month stay on one line. */
      heldUntil: (date: Date) => `held until ${dayAndMonth.format(date).replaceAll(' ', '\u00A0')}`,
      action: 'Review request',
      actionAsViewer: 'View request',
      about: (visitor: string, animal: string) => `: ${animal}, from ${visitor}`,
    },
    orders: {
      title: (count: number) => (count === 1 ? '1 more open request' : `${number.format(count)} more open requests`),
      text: 'Talks, visits and hand-overs that are under way.',
      action: 'Review requests',
      actionAsViewer: 'View requests',
    },
    domains: {
      title: (count: number) => (count === 1 ? '1 domain needs you' : `${number.format(count)} domains need you`),
      text: 'A DNS record is missing or wrong. Open the domain to see what to change.',
      action: (count: number) => (count === 1 ? 'Fix domain' : 'Fix domains'),
      actionAsViewer: 'View domains',
    },
    failed: {
      title: (version: number) => `Version ${version} of your site could not be published`,
      stillSeen: 'Visitors still see the previous version.',
      notSeen: 'Visitors see nothing yet.',
      action: 'Check site',
    },
    publish: {
      title: 'Your site is not published yet',
      text: 'Visitors cannot see your animals, and cannot ask for one.',
      action: 'Publish site',
      actionAsViewer: 'View site',
    },
  },
  when: {
    now: 'just now',
    ago: (value: number, unit: Intl.RelativeTimeFormatUnit) => ago.format(-value, unit),
  },
  numbers: {
    title: 'Numbers',
    available: 'Available',
    availableText: 'Waiting for a home',
    pending: 'Reserved',
    pendingText: 'Held for a visitor',
    orders: 'Requests, 7 days',
    ordersText: 'From visitors to your site',
    ordersChart: (recent: string, before: string) =>
      `Requests per day for two weeks: ${recent} in the last seven days, ${before} in the seven days before.`,
    homes: 'Homes, 4 weeks',
    homesText: 'Animals that found a home',
    homesChart: (weeks: number) => `Animals that found a home per week, for ${number.format(weeks)} weeks.`,
    count: (value: number) => number.format(value),
    change: (value: number) => (value > 0 ? `+${number.format(value)}` : `−${number.format(-value)}`),
    more: (value: number) => `over ${number.format(value)}`,
  },
  decided: {
    title: 'Latest decisions',
    all: 'All closed requests',
    order: (animal: string, visitor: string) => `${animal} for ${visitor}`,
  },
  site: {
    title: 'Your site',
    live: 'Live',
    notLive: 'Not published',
    suspended: 'Suspended',
    never: 'Not published yet. Visitors will find your animals here once you publish.',
    preview: 'Preview of your site',
    address: 'Address:',
    published: (version: number) => `Version ${version}, published`,
    last: (version: number) => `Version ${version}`,
    states: { queued: 'Queued', building: 'Building', succeeded: 'Published', failed: 'Failed' },
    edit: 'Edit site',
    open: 'View site settings',
    versions: 'All versions',
  },
  domains: {
    label: 'Domains:',
    none: 'Add your own domain',
    groups: {
      live: (count: number) => `${number.format(count)} live`,
      waiting: (count: number) => `${number.format(count)} in progress`,
      needAction: (count: number) => `${number.format(count)} ${count === 1 ? 'needs' : 'need'} you`,
      others: (count: number) => `${number.format(count)} inactive or paused`,
    },
    all: 'All domains',
  },
  steps: {
    title: 'Set up your store',
    done: (done: number, of: number) => `${done} of ${of} steps done`,
    hide: 'Hide the set-up list',
    hidden: 'The set-up list is hidden.',
    allDone: 'Everything is set up',
    allDoneText: 'Your site is published, and visitors find it at your own domain.',
    close: 'Close this message',
    isDone: 'Done:',
    isNext: 'Next:',
    isLater: 'Later:',
    viewer: 'Admins and owners of the store take care of these steps.',
    animals: {
      title: 'Add your animals',
      text: 'One by one, or all at once from a spreadsheet. Visitors do not see them before you publish.',
      action: 'Add animals',
    },
    contact: {
      title: 'Enter your contact details',
      text: 'Email, phone and address, at the bottom of every page of your site.',
      action: 'Enter contact details',
    },
    about: {
      title: 'Describe your store, with its opening hours',
      text: 'Who you are, and when visitors can come. A few sentences are enough.',
      action: 'Describe your store',
    },
    look: {
      title: 'Choose the look of your site',
      text: 'Its shapes, its colour and your logo.',
      action: 'Choose a look',
    },
    publish: {
      title: 'Publish your site',
      text: 'Check the preview, then publish. Visitors see the result a moment later.',
      action: 'Go to Site',
    },
    plan: {
      title: 'Choose a plan with your own domain',
      text: 'Only if you want an address of your own. Your site works without it.',
      action: 'See the plans',
    },
    domain: {
      title: 'Add your domain',
      text: 'Enter its name. We show you which DNS record to create, and where.',
      action: 'Add domain',
    },
    live: {
      title: 'Go live on your domain',
      text: 'Create the record. We detect it automatically, obtain the certificate, and your site goes live.',
      action: 'Check the status',
    },
  },
}
