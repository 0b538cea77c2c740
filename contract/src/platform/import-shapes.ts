// What an import consists of: its states, the fields that a column of a spreadsheet can hold, the table as it was read,
// the matches of its values, and its rows as they were judged. The operations are in imports.ts.

import { Type, type Static } from 'typebox'
import { Int64 } from '../int64.ts'
import { Time, TimeOrNull } from './accounts.ts'
import { profileFieldNames, type ProfileFieldName } from './profile-fields.ts'

export const BAD_LINES_SHOWN = 100
export const IMPORTS_SHOWN = 100
export const COLUMNS_MAX = 60
export const CELL_LENGTH_MAX = 10_000
export const SAMPLES_SHOWN = 5
/** Of one field; the values beyond are judged all the same, and can be corrected in their cells. */
export const VALUES_SHOWN = 200
export const KEPT_SHOWN = 100
export const ROWS_LIMIT_MAX = 1000
export const UNDO_DAYS = 7

/**
 * Without a review: uploading, queued, running, then succeeded or failed. With one: uploading, reading, mapping, judging,
 * reviewing, running, succeeded; and undoing, undone.
 */
export const importStates = [
  'uploading',
  'queued',
  'reading',
  'mapping',
  'judging',
  'reviewing',
  'running',
  'succeeded',
  'failed',
  'undoing',
  'undone',
  'discarded',
] as const
export type ImportState = (typeof importStates)[number]

export const onBadLines = ['refuse', 'skip'] as const
export type OnBadLine = (typeof onBadLines)[number]

/** A date of birth and a fee have two columns each. */
const columnsOf = (name: ProfileFieldName) => {
  if (name === 'born') return ['born', 'isBornEstimated'] as const
  return name === 'fee' ? (['fee', 'feeCurrency'] as const) : [name]
}

/**
 * The fields of an animal under the names that an export uses, and, behind them, those that only an import knows: an age,
 * weights in other units, answers that say the opposite, and photos.
 */
export const exportFields = [
  ...(['id', 'name', 'categoryId', 'status', 'category', 'externalId'] as const),
  ...profileFieldNames.filter((name) => name !== 'externalId').flatMap(columnsOf),
]
export type ExportField = (typeof exportFields)[number]

export const importFields = [
  ...exportFields,
  ...([
    'age',
    'isShown',
    'weightKilograms',
    'weightPounds',
    'notGoodWithChildren',
    'notGoodWithDogs',
    'notGoodWithCats',
    'photos',
  ] as const),
]
export type ImportField = (typeof importFields)[number]

export const tableFormats = ['csv', 'xlsx'] as const
export const tableEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export const tableDelimiters = [',', ';', '\t', '|'] as const
export const presets = ['petstore', 'asm3', 'petfinder', 'shelterluv'] as const
export const matchKeys = ['id', 'externalId', 'none'] as const
export const dateOrders = ['dmy', 'mdy'] as const
export const valueActions = ['use', 'create', 'clear', 'skip', 'none'] as const
export const rowOutcomes = ['create', 'update', 'unchanged', 'problem', 'skip'] as const
export const keptReasons = ['changed', 'requested', 'deleted'] as const
export const rowPhotoStates = ['file', 'pending', 'added', 'failed'] as const
export type TableFormat = (typeof tableFormats)[number]
export type TableEncoding = (typeof tableEncodings)[number]
export type TableDelimiter = (typeof tableDelimiters)[number]
export type Preset = (typeof presets)[number]
export type MatchKey = (typeof matchKeys)[number]
export type DateOrder = (typeof dateOrders)[number]
export type ValueAction = (typeof valueActions)[number]
export type RowOutcome = (typeof rowOutcomes)[number]
export type KeptReason = (typeof keptReasons)[number]
export type RowPhotoState = (typeof rowPhotoStates)[number]

const count = (description: string) => Type.Integer({ format: 'int64', minimum: 0, description })
const oneOf = <One extends string>(values: readonly One[], description: string) =>
  Type.Unsafe<One>({ type: 'string', enum: [...values], description })
const oneOrNull = <One extends string>(values: readonly One[], description: string) =>
  Type.Unsafe<One | null>({ type: ['string', 'null'], enum: [...values, null], description })
const textOrNull = (description: string, lengthMax?: number) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    ...(lengthMax !== undefined && { maxLength: lengthMax }),
    description,
  })
const orNull = <Value>(schema: Type.TSchema, description: string) =>
  Type.Unsafe<Value | null>({ oneOf: [schema, { type: 'null' }], description })

export const BadLine = Type.Object(
  { line: count('Line of the file, the first is 1.'), reason: Type.String({ description: 'What is wrong with it.' }) },
  { $id: 'BadLine' },
)
export type BadLine = { line: number; reason: string }

export const OutcomeCounts = Type.Object(
  {
    create: count('Animals to add.'),
    update: count('Animals to change.'),
    unchanged: count('Animals that are already as the file says.'),
    problem: count('Rows with a problem.'),
    skip: count('Rows that are left out because a value says so.'),
  },
  { $id: 'OutcomeCounts', description: 'The rows of a reviewed import, by what happens to them.' },
)
export type OutcomeCounts = Static<typeof OutcomeCounts>

export const Import = Type.Object(
  {
    id: Type.String(),
    state: oneOf(importStates, 'Where the import stands.'),
    lines: count('Rows read so far, valid or not.'),
    added: count('Animals added. None before the whole import has succeeded.'),
    bad: count('Rows that are not valid.'),
    badLines: Type.Array(BadLine, { maxItems: BAD_LINES_SHOWN, description: 'The first invalid rows.' }),
    reason: textOrNull('Why it failed, or why it could not be applied.'),
    createdAt: Time,
    finishedAt: TimeOrNull,
    isReviewed: Type.Boolean({ description: 'Whether it is mapped, matched and reviewed before it is applied.' }),
    fileName: textOrNull('As its uploader named it.'),
    changed: count('Animals changed. None before the whole import has succeeded.'),
    undoUntil: Type.Unsafe<string | null>({
      ...TimeOrNull,
      description: 'Until when the import can be undone; null if it cannot.',
    }),
  },
  { $id: 'Import', description: 'An import of animals from a file.' },
)
export const Imports = Type.Array(Import, { $id: 'Imports', maxItems: IMPORTS_SHOWN })

export const TableColumn = Type.Object(
  {
    index: count('Position in the file; the first is 0.'),
    title: Type.String({ description: 'Its cell in the first row.' }),
    samples: Type.Array(Type.String(), { maxItems: SAMPLES_SHOWN, description: 'Different values of it.' }),
    field: oneOrNull(importFields, 'What it holds: as proposed, or as mapped. Null if it is ignored.'),
  },
  { $id: 'TableColumn', description: 'A column of an imported table.' },
)
export type TableColumn = Static<typeof TableColumn>

export const ImportTable = Type.Object(
  {
    format: oneOf(tableFormats, 'Format of the file.'),
    encoding: oneOrNull(tableEncodings, 'Null for XLSX.'),
    delimiter: oneOrNull(tableDelimiters, 'Between two cells; null for XLSX.'),
    sheet: textOrNull('The sheet that was read; null for CSV.'),
    sheets: Type.Array(Type.String(), { description: 'All sheets of the file.' }),
    preset: oneOrNull(presets, 'The program that wrote the file, if its columns show it.'),
    rows: count('Rows, without the first and without empty ones.'),
    columns: Type.Array(TableColumn, { maxItems: COLUMNS_MAX }),
  },
  { $id: 'ImportTable', description: 'The table of an import as it was read.' },
)
export type ImportTable = Static<typeof ImportTable>

/** How cells are understood, beyond the field of their column. */
const reading = {
  matchBy: oneOf(matchKeys, 'How a row finds its animal. With `none` every row is a new animal.'),
  dateOrder: oneOf(dateOrders, 'How a date such as 03/04/2021 is read.'),
  currency: Type.Unsafe<string>({
    type: 'string',
    pattern: '^[A-Z]{3}$',
    description: 'Of fees that name none, ISO 4217.',
  }),
  defaultCategory: textOrNull('Name of the category of rows without one; null if they are problems.', 255),
}
export const ImportReading = Type.Object(reading, {
  $id: 'ImportReading',
  description: 'How the cells of an import are understood: as proposed, or as mapped.',
})
export type ImportReading = Static<typeof ImportReading>

export const ImportMapping = Type.Object(
  {
    columns: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ minimum: 0, maximum: COLUMNS_MAX - 1 }),
          field: oneOrNull(importFields, 'Null ignores the column.'),
        },
        { additionalProperties: false },
      ),
      { maxItems: COLUMNS_MAX, description: 'A column that is not listed is ignored.' },
    ),
    ...reading,
  },
  { $id: 'ImportMapping', additionalProperties: false },
)
export type ImportMapping = Static<typeof ImportMapping>

const match = {
  field: oneOf(importFields, 'Field of the column.'),
  value: Type.String({ maxLength: CELL_LENGTH_MAX, description: 'As it is in the file.' }),
  action: oneOf(
    valueActions,
    '`use` an existing category or a value of the field; `create` a category; `clear`: as if the cell were empty; `skip` the rows; `none`: the rows are problems.',
  ),
  to: textOrNull(
    'With `use`, the identifier of the category or the value, such as `sold`, `yes` or, for an age, the time of birth (`2024`, `2024-05`). With `create`, the name of the category. Otherwise null.',
    255,
  ),
}
export const ImportValue = Type.Object(
  {
    ...match,
    rows: count('Rows with this value.'),
    isProposed: Type.Boolean({ description: 'Whether the match is a proposal.' }),
  },
  { $id: 'ImportValue', description: 'A value of the file, and what it means.' },
)
export type ImportValue = Static<typeof ImportValue>

export const ImportValues = Type.Object(
  {
    values: Type.Array(Type.Object(match, { additionalProperties: false }), {
      maxItems: 2000,
      description: 'The values to match; others keep their match.',
    }),
  },
  { $id: 'ImportValues', additionalProperties: false },
)
export type ImportValues = Static<typeof ImportValues>

export const RowProblem = Type.Object(
  {
    column: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'The cell; null if it is the whole row.',
    }),
    reason: Type.String({ description: 'What is wrong with it.' }),
  },
  { $id: 'RowProblem' },
)
export type RowProblem = Static<typeof RowProblem>

export const RowChange = Type.Object(
  {
    field: oneOf(exportFields, 'Field of the animal.'),
    before: Type.String({ description: 'As in an export; shortened.' }),
    after: Type.String({ description: 'As in an export; shortened.' }),
  },
  { $id: 'RowChange' },
)
export type RowChange = Static<typeof RowChange>

export const RowPhoto = Type.Object(
  {
    name: Type.String({ description: 'An https address, or the name of a file.' }),
    state: oneOf(rowPhotoStates, '`file`: to be uploaded with `addPhoto`. Addresses are fetched once it is applied.'),
    reason: textOrNull('Why it failed.'),
  },
  { $id: 'RowPhoto', description: 'A photo that a row names.' },
)
export type RowPhoto = Static<typeof RowPhoto>

export const ImportRow = Type.Object(
  {
    row: count('Line of the file in which it begins, the first is 1.'),
    outcome: oneOf(rowOutcomes, 'What happens, or has happened, to it.'),
    animalId: orNull<bigint>(Int64, 'The animal; null if it is not added yet, or if there is none.'),
    cells: Type.Array(Type.String(), { description: 'In the order of the columns.' }),
    problems: Type.Array(RowProblem),
    changes: Type.Array(RowChange, { description: 'Of an animal that is changed.' }),
    photos: Type.Array(RowPhoto),
  },
  { $id: 'ImportRow', description: 'A row of an import, as it was judged.' },
)
export type ImportRow = Static<typeof ImportRow>
export const ImportRows = Type.Array(ImportRow, { $id: 'ImportRows', maxItems: ROWS_LIMIT_MAX })

export const KeptAnimal = Type.Object(
  {
    animalId: Type.Unsafe<bigint>({ ...Int64, description: 'Identifier of the animal.' }),
    name: Type.String(),
    reason: oneOf(keptReasons, 'Why the undo left it as it is.'),
  },
  { $id: 'KeptAnimal' },
)

export const ImportPhotos = Type.Object(
  {
    pending: count('Addresses that are not fetched yet.'),
    added: count('Photos fetched and added.'),
    failed: count('Addresses that gave no photo.'),
  },
  { $id: 'ImportPhotos', description: 'The photos that the file names by address.' },
)

export const ImportDetails = Type.Object(
  {
    ...Import.properties,
    table: orNull<ImportTable>(ImportTable, 'Null until the file has been read, and without a review.'),
    reading: orNull<ImportReading>(ImportReading, 'Null as long as `table` is.'),
    values: Type.Array(ImportValue, { description: 'Values that need a match; of mapped columns.' }),
    counts: orNull<OutcomeCounts>(OutcomeCounts, 'Null until the rows have been judged.'),
    photos: orNull<Static<typeof ImportPhotos>>(ImportPhotos, 'Null until the import has been applied.'),
    kept: Type.Array(KeptAnimal, {
      maxItems: KEPT_SHOWN,
      description: 'Animals that an undo left as they are, because they were changed, requested or deleted since.',
    }),
    keptCount: count('Their number.'),
  },
  { $id: 'ImportDetails', description: 'An import with its table, its matches and its counts.' },
)
export type ImportDetails = Static<typeof ImportDetails>
