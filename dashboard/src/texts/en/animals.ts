// Words of the pages of the animals: the list and its dialogs.

import { common } from './common.ts'

const number = new Intl.NumberFormat()
const many = (count: number, one: string, more: string) =>
  count === 1 ? `1 ${one}` : `${number.format(count)} ${more}`
const statuses = { available: 'Available', pending: 'Reserved' }
const animalsOf = (count: number) => many(count, 'animal', 'animals')

type Counts = [available?: string, reserved?: string, gone?: string]
const leadOf = ([available, reserved, gone]: Counts, word: string) =>
  [available && `${available} available`, reserved && `${reserved} reserved`, gone && `${gone} ${word}`]
    .filter(Boolean)
    .join(', ')

export const animals = {
  title: 'Animals',
  add: common.addAnimal,
  import: 'Import',
  export: 'Export',
  categories: 'Categories',
  number: (value: number) => number.format(value),
  atLeast: (value: number) => `${number.format(value)}+`,
  /** The numbers are written already; those without animals are undefined. */
  lead: {
    shelter: (...counts: Counts) => leadOf(counts, 'adopted'),
    shop: (...counts: Counts) => leadOf(counts, 'sold'),
  },
  views: { label: 'View', cards: 'Cards', table: 'Table' },

  search: 'Name, breed or chip number',
  status: 'Status',
  everyStatus: 'Every status',
  category: 'Category',
  everyCategory: 'Every category',
  all: 'All',
  photos: 'Photos',
  everyPhoto: 'Photo or not',
  noPhoto: 'No photo',
  order: 'Order',
  newestFirst: 'Newest first',
  byName: 'By name',
  leastComplete: 'Least complete first',
  sortedMost: (most: number) => `This order has room for ${animalsOf(most)}: the list ends there.`,
  clearFilters: 'Clear filters',
  /** A shelter's animals are adopted, a shop's are sold. */
  statuses: { shelter: { ...statuses, sold: 'Adopted' }, shop: { ...statuses, sold: 'Sold' } },

  requests: (count: number) => many(count, 'request', 'requests'),
  hidden: 'Hidden',
  featured: 'Featured',
  complete: (percent: number) => (percent === 0 ? 'No profile yet' : `${percent} % complete`),

  counted: (count: number) => animalsOf(count),
  countedSoFar: (count: number) => `${animalsOf(count)} loaded, there are more`,
  emptyTitle: 'No animals yet',
  emptyText: 'Add the first one, or import all of them from a spreadsheet. Visitors see them on your published site.',
  emptyImport: 'Import a spreadsheet',
  emptyViewer: 'Admins and owners of the store can add them.',
  noneTitle: 'No animals match',
  noneText:
    'The search matches the beginning of a word in a name or a breed, and of a chip number. Try fewer letters, or another status or category.',
  showAll: 'Show all animals',
  loadingRow: 'Loading …',

  name: 'Name',
  added: 'Added',
  addedOn: (day: string) => `Added ${day}`,
  hereFor: 'Here for',
  hereForDays: (days: number) => (days === 0 ? 'under a day' : many(days, 'day', 'days')),
  here: (days: number) => (days === 0 ? 'Added today' : `${many(days, 'day', 'days')} here`),
  selected: 'Selected',
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all',
  selectAllLoaded: (count: number) => `Select all ${number.format(count)} loaded`,
  unnamedCategory: (id: string) => `Category ${id}`,
  keysTitle: 'Keyboard:',
  arrows: { cards: '← ↑ ↓ →', table: '↑ ↓' },
  move: 'move',
  keys: [
    ['Page ↑ ↓, Home, End', 'jump'],
    ['Space', 'select'],
    ['Enter', 'open'],
    ['/', 'search'],
  ] as const,

  bulk: {
    selected: (count: number) => `${number.format(count)} selected`,
    mark: 'Mark as',
    clear: 'Clear selection',
    more: 'More',
    title: (count: number, status: string) => `Mark ${animalsOf(count)} as ${status.toLowerCase()}`,
    action: 'Mark them',
    goOn: 'Continue',
    frees: 'Your site shows them as available. Holds end; requests for them stay open.',
    keeps: 'Your site shows them as reserved. Requests for them stay open.',
    sells: 'Visitors can no longer ask for them on your site. Open requests for them are closed.',
    progress: (done: number, of: number) => `${number.format(done)} of ${number.format(of)} done`,
    stopped: (done: number, of: number) =>
      `It stopped after ${number.format(done)} of ${number.format(of)}. Those are changed; the others are not.`,
    done: (changed: number, status: string) => `${animalsOf(changed)} marked as ${status.toLowerCase()}`,
    missing: (count: number) => `${animalsOf(count)} had already been deleted.`,
    hide: {
      label: 'Hide',
      title: (count: number) => `Hide ${animalsOf(count)}`,
      meaning: 'Your site no longer shows them. Requests for them stay open.',
      action: 'Hide them',
      done: (count: number) => `${animalsOf(count)} hidden`,
    },
    show: {
      label: 'Show',
      title: (count: number) => `Show ${animalsOf(count)}`,
      meaning: 'Your site shows all of them.',
      action: 'Show them',
      done: (count: number) => `${animalsOf(count)} shown`,
    },
    category: {
      label: 'Change category …',
      title: (count: number) => `Change the category of ${animalsOf(count)}`,
      meaning: 'Visitors find them in the new category at once.',
      action: 'Change category',
      done: (count: number, name: string) => `${animalsOf(count)} moved to ${name}`,
    },
    print: (count: number) => `Print ${many(count, 'sheet', 'sheets')}`,
    printUnpublished: 'Publish your site first: each sheet leads to a page of it.',
    printHidden: 'Hidden animals are not on your site, and have no sheet.',
    printMost: (most: number) => `At most ${number.format(most)} at a time.`,
    undone: (count: number) => `${animalsOf(count)} changed back`,
  },

  dialog: {
    addTitle: 'Add an animal',
    next: 'Its page opens next, for photos, the story and everything else.',
    newCategory: 'New category …',
    newCategoryName: 'Name of the new category',
    chooseCategory: 'Choose a category',
    needsName: 'Give the animal a name.',
    needsCategory: 'Choose a category, or create a new one.',
    needsCategoryName: 'Give the new category a name.',
    add: 'Add animal',
    addAnother: 'Add and create another',
    wasAdded: (name: string) => `${name} was added`,
    delete: 'Delete',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText: 'The animal disappears from your site and from this list. This cannot be undone.',
    deleteInstead: {
      shelter: 'If it has found a home, mark it as adopted instead.',
      shop: 'If it has found a home, mark it as sold instead.',
    },
    wasDeleted: (name: string) => `${name} was deleted`,
  },

  categoriesDialog: {
    title: 'Categories',
    lead: 'Visitors browse your animals by category.',
    newName: 'New category',
    add: 'Add',
    none: 'There are no categories yet. Dogs and cats are a good start.',
    nameOf: (id: string) => `Name of category ${id}`,
    renameOf: (name: string) => `Rename ${name}`,
    save: 'Save',
    deleteOf: (name: string) => `Delete ${name}`,
    number: (id: string) => `Number ${id}`,
    wasDeleted: (name: string) => `The category “${name}” was deleted`,
  },
}
