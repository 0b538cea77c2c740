// Words of the import of animals: its steps, and what became of it.

import { animals } from './animals.ts'
import { profiles } from './profiles.ts'

const number = new Intl.NumberFormat()
const many = (count: number, one: string, more: string) =>
  count === 1 ? `1 ${one}` : `${number.format(count)} ${more}`
const animalsOf = (count: number) => many(count, 'animal', 'animals')
const rowsOf = (count: number) => many(count, 'row', 'rows')
const photosOf = (count: number) => many(count, 'photo', 'photos')
const of = (done: number, all: number) => `${number.format(done)} of ${number.format(all)}`

const { fields } = profiles

export const imports = {
  title: 'Import animals',
  lead: 'Bring the spreadsheet that you have. You see everything before anything changes.',
  back: 'Animals',
  steps: { choose: 'Choose file', columns: 'Columns', values: 'Values', review: 'Review', done: 'Done' },
  stepsLabel: 'Steps of the import',
  number: (value: number) => number.format(value),
  continue: 'Continue',
  startOver: 'Start over',
  startOverText: 'Nothing has been imported yet. The file is removed here, and you can choose another one.',

  choose: 'Choose a file',
  chooseTitle: 'Your spreadsheet',
  orDrop: 'Excel (.xlsx) or CSV, or drop it here',
  helpTitle: 'Any spreadsheet will do',
  help: [
    'One animal per row, and the names of the columns in the first row.',
    'Your own words are fine: we recognise columns such as “Type”, “Breed” or “Tierart”, and you can change what we propose.',
    'Exports from ASM3, Petfinder and Shelterluv are recognised.',
    'You can undo an import for 7 days.',
  ],
  example: 'Download an example',
  exampleFile: 'animals-example.csv',
  exampleLines: [
    'Name,Category,Breed,Sex,Born,Good with children,Status',
    'Rex,Dogs,Labrador,male,2021-05,yes,available',
    '"Mia, the quiet one",Cats,,female,2023,unknown,available',
  ],
  otherFile:
    'We can read Excel files (.xlsx) and CSV. In your program, choose “Save as” or “Export”, then one of the two.',
  emptyFile: 'This file is empty. It needs a row with the names of the columns, and a row for each animal.',
  uploading: (percent: string) => `Uploading your file: ${percent}`,
  keepOpen: 'Please keep this page open until the upload is complete.',
  uploadStopped: 'The upload was interrupted. Nothing is lost: you can continue where it stopped.',
  goOn: 'Continue',
  cancel: 'Cancel',
  reading: 'Reading your file …',
  judging: 'Checking your animals …',
  mayLeave: 'You can leave this page and come back later.',

  columnsTitle: 'What is in the columns?',
  presets: {
    petstore: 'This looks like an export from Petstore.',
    asm3: 'This looks like an export from ASM3.',
    petfinder: 'This looks like an export from Petfinder.',
    shelterluv: 'This looks like an export from Shelterluv.',
  },
  found: (columns: number, rows: number) => `${many(columns, 'column', 'columns')}, ${rowsOf(rows)}.`,
  mapped: (mapped: number, columns: number) =>
    mapped === columns
      ? 'All columns are imported.'
      : `${of(mapped, columns)} columns are imported. The others stay in your file.`,
  column: 'Your column',
  becomes: 'Becomes',
  becomesOf: (title: string) => `What “${title}” becomes`,
  unnamedColumn: (place: number) => `Column ${number.format(place)}`,
  noSamples: '(empty)',
  notImported: 'Not imported',
  sheet: 'Sheet',
  sheetHint: 'Your file has several. Each one can be an import of its own.',
  fieldGroups: {
    basics: 'Basics',
    looks: 'Looks',
    company: profiles.groups.company,
    health: profiles.groups.health,
    texts: 'Texts and photos',
    terms: 'Terms',
    team: profiles.groups.team,
    site: profiles.groups.site,
  },
  fields: {
    ...fields,
    id: 'Number in Petstore',
    categoryId: 'Number of the category',
    status: animals.status,
    category: animals.category,
    weightGrams: 'Weight in grams',
    isBornEstimated: 'Birth is estimated',
    goodWithChildren: 'Good with children',
    goodWithDogs: 'Good with dogs',
    goodWithCats: 'Good with cats',
    fee: 'Fee or price',
    feeCurrency: profiles.currency,
    isHidden: 'Hidden on the site',
    isShown: 'Shown on the site',
    age: 'Age',
    weightKilograms: 'Weight in kilograms',
    weightPounds: 'Weight in pounds',
    notGoodWithChildren: 'Not good with children',
    notGoodWithDogs: 'Not good with dogs',
    notGoodWithCats: 'Not good with cats',
    photos: 'Photos',
  },
  detailsTitle: 'A few questions',
  matchBy: 'Are some of these animals in your store already?',
  matchKeys: {
    externalId: 'Recognise them by their number in another system',
    id: 'Recognise them by their number in Petstore',
    none: 'Add all as new animals',
  },
  dateOrder: 'How are dates written?',
  dateOrders: { dmy: 'Day first: 31/12/2025', mdy: 'Month first: 12/31/2025' },
  currency: 'Currency of the fees',
  defaultCategory: 'Category of animals without one',
  defaultCategoryNeeded: 'No column says to which category the animals belong. Which one is it?',
  noDefaultCategory: 'Ask me later',

  valuesTitle: 'What do these words mean?',
  valuesLead: 'Each word of your file once, with what we understood. Change what is not right.',
  noValues: 'We understood every word. There is nothing to do here.',
  valuesOf: (count: number) => `In ${rowsOf(count)}`,
  pleaseChoose: 'Please choose',
  needsChoice: (count: number) =>
    `${many(count, 'word needs', 'words need')} your answer. Rows without one are problems.`,
  meaningOf: (field: string, value: string) => `${field}: what “${value}” means`,
  emptyValue: '(empty)',
  createCategory: (name: string) => `New category “${name}”`,
  yourCategories: 'Your categories',
  otherwise: 'Otherwise',
  clear: 'Leave empty',
  skip: 'Leave these animals out',
  bornAbout: (date: string) => `Born about ${date}`,

  reviewTitle: 'Is everything right?',
  reviewLead: 'Nothing has changed yet. Correct any cell here; your file stays as it is.',
  filters: 'Rows',
  filter: {
    all: 'All',
    create: 'New',
    update: 'Changed',
    unchanged: 'Unchanged',
    problem: 'Problems',
    skip: 'Left out',
  },
  outcomes: {
    create: 'New',
    update: 'Changed',
    unchanged: 'Unchanged',
    problem: 'Problem',
    skip: 'Left out',
  },
  row: 'Row',
  outcome: 'What happens',
  rows: 'Rows of your file',
  keysHint: 'Arrow keys move between cells, Enter changes one, Escape takes the change back.',
  touchHint: 'Tap a cell to change it.',
  editCell: (field: string, row: number) => `${field}, row ${number.format(row)}`,
  was: (value: string) => (value === '' ? 'was empty' : `was ${value}`),
  problemsTitle: (count: number) => `${many(count, 'row has', 'rows have')} a problem`,
  problemsText: 'Correct them here, or continue: rows with a problem are left out.',
  problemAt: (row: number, field: string | undefined, reason: string) =>
    `Row ${number.format(row)}${field === undefined ? '' : `, ${field}`}: ${reason}`,
  moreProblems: (count: number) => `${number.format(count)} more below`,
  solved: 'No more problems. Well done.',
  noneHere: 'No rows here.',
  photosOf,
  wouldDo: (create: number, update: number) => {
    const parts = [
      create > 0 && many(create, 'new animal', 'new animals'),
      update > 0 && many(update, 'change', 'changes'),
    ]
    return `${parts.filter(Boolean).join(', ')}.`
  },
  nothingToDo: 'Everything in this file is in your store already. There is nothing to import.',
  leftOut: (count: number) => `${rowsOf(count)} with a problem ${count === 1 ? 'is' : 'are'} left out.`,
  apply: (count: number) => `Import ${animalsOf(count)}`,
  applyNone: 'Import',

  working: (done: number) => `${rowsOf(done)} so far`,
  workingOf: (done: number, all: number) => `${of(done, all)} rows`,
  done: (added: number, changed: number) =>
    changed === 0
      ? `${animalsOf(added)} added.`
      : added === 0
        ? `${animalsOf(changed)} changed.`
        : `${animalsOf(added)} added, ${number.format(changed)} changed.`,
  nothingChanged: 'Nothing had to change.',
  live: 'Your published site shows them within seconds.',
  notDone: 'Nothing was imported.',
  discardedText: 'This import was not finished, and nothing was imported.',
  show: 'Show animals',
  another: 'Import another file',
  examples: 'Some of them',
  unnamed: 'No name',
  undo: 'Undo import',
  undoUntil: (time: string) => `You can undo this import until ${time}.`,
  undoTitle: 'Undo this import?',
  undoText:
    'Animals that it added are removed, with their photos. Animals that it changed get their earlier values back. What was changed or requested since stays as it is.',
  undoDo: 'Undo import',
  undone: 'The import was undone. Your animals are as they were before.',
  undoneExcept: (count: number) => `The import was undone, except for ${animalsOf(count)}:`,
  keptReasons: {
    changed: 'was changed after the import, so we kept it',
    requested: 'has been requested, so we kept it',
    deleted: 'was deleted after the import, so there was nothing to undo',
  },
  badRows: (count: number) => `${many(count, 'row was', 'rows were')} not valid:`,
  firstOnly: (count: number) => `Only the first ${number.format(count)} are listed.`,
  line: 'Row',
  reason: 'Problem',

  photosTitle: 'Photos from this device',
  photosLead:
    'Choose all photos at once. Each goes to the animal whose row names the file, or whose name the file has, such as rex.jpg or rex-2.jpg.',
  choosePhotos: 'Choose photos',
  dropPhotos: 'or drop them here',
  matching: 'Finding their animals …',
  sent: (done: number, all: number) => `${of(done, all)} photos uploaded`,
  allSent: (count: number) => `${photosOf(count)} uploaded. They will be on your site in a moment.`,
  unmatched: (count: number) => `${many(count, 'file fits', 'files fit')} no animal of this import:`,
  unmatchedAdvice: 'Name them like the animal, or add them on the page of the animal.',
  fetchedTitle: 'Photos from web addresses',
  photoFailed: 'not found',
  fetching: (done: number, all: number) => `${of(done, all)} photos fetched from their web addresses`,
  fetched: (count: number) =>
    `${photosOf(count)} fetched from ${count === 1 ? 'its web address' : 'their web addresses'}.`,
  notFetched: (count: number) => `${photosOf(count)} could not be fetched.`,
  showNotFetched: 'Show which',

  earlier: 'Earlier imports',
  noneEarlier: 'No file has been imported yet.',
  when: 'When',
  file: 'File',
  unnamedFile: 'Without a name',
  state: 'State',
  result: 'Result',
  open: 'Open',
  openOf: (file: string) => `Open ${file}`,
  continueOf: (file: string) => `Continue with ${file}`,
  discardOf: (file: string) => `Discard ${file}`,
  discard: 'Discard',
  states: {
    uploading: 'Not uploaded',
    queued: 'Queued',
    reading: 'Being read',
    mapping: 'To be reviewed',
    judging: 'Being checked',
    reviewing: 'To be reviewed',
    running: 'In progress',
    succeeded: 'Done',
    failed: 'Not imported',
    undoing: 'Being undone',
    undone: 'Undone',
    discarded: 'Discarded',
  },
}
