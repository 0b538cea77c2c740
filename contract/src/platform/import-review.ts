// The review of an import: the file is read, its columns are mapped to fields, its values are matched, its rows are judged
// and corrected. Nothing is written before it is applied, and what was written can be undone.

import { Type } from 'typebox'
import { cursor, limitOf, type Parameter } from '../parameters.ts'
import {
  CELL_LENGTH_MAX,
  COLUMNS_MAX,
  ImportDetails,
  ImportMapping,
  ImportRow,
  ImportRows,
  ImportValues,
  ROWS_LIMIT_MAX,
  UNDO_DAYS,
  dateOrders,
  matchKeys,
  rowOutcomes,
  type RowOutcome,
} from './import-shapes.ts'
import { ImportStart, importExample, importId, noDetails, onBadLine, onBadLineFault, partsFault } from './imports.ts'
import { idParameter, member, projectSlug, type PlatformOperation } from './operation.ts'

/** Of a file that is reviewed: as it is uploaded, and unpacked. */
export const REVIEWED_BYTES_MAX = 64 * 1_048_576
const VALUES_BYTES_MAX = 512 * 1024

export const ImportRead = Type.Object(
  {
    parts: Type.Optional(ImportStart.properties.parts),
    sheet: Type.Optional(Type.String({ maxLength: 255, description: 'Of an XLSX file; the first by default.' })),
  },
  { $id: 'ImportRead', additionalProperties: false },
)
export const ImportCell = Type.Object(
  { value: Type.String({ maxLength: CELL_LENGTH_MAX }) },
  { $id: 'ImportCell', additionalProperties: false },
)
export const ImportApplication = Type.Object({ onBadLine }, { $id: 'ImportApplication', additionalProperties: false })

const detailsExample = { ...importExample, ...noDetails, isReviewed: true, fileName: 'animals.csv' }
const reading = { matchBy: 'externalId', dateOrder: 'dmy', currency: 'EUR', defaultCategory: null }
const mapped = {
  ...detailsExample,
  state: 'mapping',
  lines: 2,
  table: {
    format: 'csv',
    encoding: 'utf-8',
    delimiter: ';',
    sheet: null,
    sheets: [],
    preset: null,
    rows: 2,
    columns: [
      { index: 0, title: 'Name', samples: ['Rex', 'Mia'], field: 'name' },
      { index: 1, title: 'Type', samples: ['Dogs', 'Cats'], field: 'category' },
    ],
  },
  reading,
}
const value = { field: 'category', value: 'Dogs', action: 'use', to: '9' }
const reviewed = {
  ...mapped,
  state: 'reviewing',
  values: [{ ...value, rows: 1, isProposed: true }],
  counts: { create: 2, update: 0, unchanged: 0, problem: 0, skip: 0 },
}
const rowExample = {
  row: 2,
  outcome: 'create',
  animalId: null,
  cells: ['Rex', 'Dogs'],
  problems: [],
  changes: [],
  photos: [{ name: 'rex.jpg', state: 'file', reason: null }],
}

const importRow = idParameter('Number of the row.', '2')
const importColumn = idParameter('Position of the column; the first is 0.', '1')
const outcomeFilter: Parameter<RowOutcome, 'query'> = {
  in: 'query',
  description: 'Filters by outcome.',
  schema: { type: 'string', enum: [...rowOutcomes] },
  refusal: 'invalid_parameter',
}

export const readImport = {
  operationId: 'readImport',
  method: 'POST',
  path: '/projects/{project}/imports/{importId}/read',
  tag: 'imports',
  access: 'admin',
  summary: 'Read the file of an import',
  description: `Of an import that is reviewed. The file may have ${REVIEWED_BYTES_MAX / 1_048_576} MiB, also when it is unpacked, ${COLUMNS_MAX} columns, and the rows of the plan. It is read in the background; then the state is \`mapping\`, and the fields of its columns are proposed. Can be repeated with another sheet until the import is applied; \`parts\` can then be left out.`,
  parameters: { project: projectSlug, importId },
  body: {
    schema: ImportRead,
    faults: { parts: partsFault, sheet: "'sheet' must be the name of a sheet." },
    examples: { one: { summary: 'One part', value: { parts: 1 } } },
  },
  success: {
    status: 202,
    description: 'The import, being read.',
    schema: ImportDetails,
    headers: [],
    example: { ...detailsExample, state: 'reading' },
  },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const putImportMapping = {
  operationId: 'putImportMapping',
  method: 'PUT',
  path: '/projects/{project}/imports/{importId}/mapping',
  tag: 'imports',
  access: 'admin',
  summary: 'Map the columns of an import',
  description:
    'States what the columns hold. The rows are judged in the background; then the state is `reviewing`, and `values` lists what needs a match. A field of an animal that is matched and to which no column is mapped keeps its value. Each field can be mapped once, except `photos`.',
  parameters: { project: projectSlug, importId },
  body: {
    schema: ImportMapping,
    faults: {
      columns: `'columns' must list at most ${COLUMNS_MAX} columns, each with its index and a field or null.`,
      matchBy: `'matchBy' must be one of ${matchKeys.join(', ')}.`,
      dateOrder: `'dateOrder' must be one of ${dateOrders.join(', ')}.`,
      currency: "'currency' must be a currency such as EUR.",
      defaultCategory: "'defaultCategory' must be text of at most 255 characters, or null.",
    },
    examples: {
      one: {
        summary: 'Two columns',
        value: {
          columns: [
            { index: 0, field: 'name' },
            { index: 1, field: 'category' },
          ],
          ...reading,
        },
      },
    },
  },
  success: {
    status: 202,
    description: 'The import, being judged.',
    schema: ImportDetails,
    headers: [],
    example: { ...mapped, state: 'judging' },
  },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const putImportValues = {
  operationId: 'putImportValues',
  method: 'PUT',
  path: '/projects/{project}/imports/{importId}/values',
  tag: 'imports',
  access: 'admin',
  summary: 'Match values of an import',
  description:
    'States what values of the file mean, each once. The rows are judged again in the background. Capitals and spaces make no difference between values.',
  parameters: { project: projectSlug, importId },
  body: {
    schema: ImportValues,
    bytesMax: VALUES_BYTES_MAX,
    faults: { values: "'values' must be a list of values, each with its field, its action and what it means." },
    examples: { one: { summary: 'A category', value: { values: [value] } } },
  },
  success: {
    status: 202,
    description: 'The import, being judged.',
    schema: ImportDetails,
    headers: [],
    example: { ...reviewed, state: 'judging' },
  },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const listImportRows = {
  operationId: 'listImportRows',
  method: 'GET',
  path: '/projects/{project}/imports/{importId}/rows',
  tag: 'imports',
  access: 'viewer',
  summary: 'List rows of an import',
  description:
    'As they were judged, in the order of the file. Paginated with the `Link` header. Kept for 7 days after the import was applied.',
  parameters: {
    project: projectSlug,
    importId,
    limit: limitOf('rows', ROWS_LIMIT_MAX),
    outcome: outcomeFilter,
    cursor,
  },
  success: {
    status: 200,
    description: 'A page of rows.',
    schema: ImportRows,
    headers: ['ETag', 'Link'],
    example: [rowExample],
  },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const putImportCell = {
  operationId: 'putImportCell',
  method: 'PUT',
  path: '/projects/{project}/imports/{importId}/rows/{row}/cells/{column}',
  tag: 'imports',
  access: 'admin',
  summary: 'Change a cell of an import',
  description:
    'While it is reviewed. The row is judged again at once; a change of `id` or `externalId` concerns other rows, so all are judged again in the background.',
  parameters: { project: projectSlug, importId, row: importRow, column: importColumn },
  body: {
    schema: ImportCell,
    bytesMax: 96 * 1024,
    faults: { value: `'value' must be text of at most ${CELL_LENGTH_MAX} characters.` },
    examples: { one: { summary: 'A name', value: { value: 'Rex' } } },
  },
  success: { status: 200, description: 'The row.', schema: ImportRow, headers: [], example: rowExample },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const applyImport = {
  operationId: 'applyImport',
  method: 'POST',
  path: '/projects/{project}/imports/{importId}/apply',
  tag: 'imports',
  access: 'admin',
  summary: 'Apply an import',
  description:
    'After its review. All rows are written in one transaction, or none. With `refuse`, rejected while there are problems; with `skip`, rows with problems are left out. If animals have changed so that a row now has a problem, nothing is written and the state is `reviewing` again. Photos that the file names by https address are fetched afterwards.',
  parameters: { project: projectSlug, importId },
  body: {
    schema: ImportApplication,
    faults: { onBadLine: onBadLineFault },
    examples: { one: { summary: 'All or nothing', value: { onBadLine: 'refuse' } } },
  },
  success: {
    status: 202,
    description: 'The import, being applied.',
    schema: ImportDetails,
    headers: [],
    example: { ...reviewed, state: 'running' },
  },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const undoImport = {
  operationId: 'undoImport',
  method: 'POST',
  path: '/projects/{project}/imports/{importId}/undo',
  tag: 'imports',
  access: 'admin',
  summary: 'Undo an import',
  description: `For ${UNDO_DAYS} days after it was applied. Animals that it added are removed, with photos that it fetched or that were uploaded with an \`Idempotency-Key\` that starts with the identifier of the import; the others get their old values back. Animals that were changed or requested since are kept as they are, and listed in \`kept\`.`,
  parameters: { project: projectSlug, importId },
  success: {
    status: 202,
    description: 'The import, being undone.',
    schema: ImportDetails,
    headers: [],
    example: { ...reviewed, state: 'undoing' },
  },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const importReviewOperations: readonly PlatformOperation[] = [
  readImport,
  putImportMapping,
  putImportValues,
  listImportRows,
  putImportCell,
  applyImport,
  undoImport,
]
