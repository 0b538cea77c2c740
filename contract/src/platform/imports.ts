// Imports of animals from files: uploaded in parts, and applied in the background, all or nothing. A script sends CSV in
// our own columns and starts it. A person sends the spreadsheet that she has; it is read, mapped, matched and reviewed
// before anything is written, and can be undone. The export is one of the operations on animals.

import { Type } from 'typebox'
import { IMPORTS_SHOWN, Import, ImportDetails, Imports, onBadLines, type OnBadLine } from './import-shapes.ts'
import { idParameter, member, projectSlug, type PlatformOperation } from './operation.ts'

export const PARTS_MAX = 100_000
export const PART_BYTES_MAX = 1_048_576

export const onBadLine = Type.Unsafe<OnBadLine>({
  type: 'string',
  enum: [...onBadLines],
  description: 'Whether an invalid row fails the import, with nothing added, or is skipped and reported.',
})
export const NewImport = Type.Object(
  {
    onBadLine,
    isReviewed: Type.Optional(
      Type.Boolean({ description: 'Whether the file is read, mapped and reviewed before it is applied. Default: no.' }),
    ),
    fileName: Type.Optional(Type.String({ maxLength: 255, pattern: '^[^\\u0000-\\u001F\\u007F]*$' })),
  },
  { $id: 'NewImport', additionalProperties: false },
)
export const ImportStart = Type.Object(
  { parts: Type.Integer({ minimum: 1, maximum: PARTS_MAX, description: 'Number of parts sent.' }) },
  { $id: 'ImportStart', additionalProperties: false },
)
export const importId = idParameter('Identifier of the import.', 'imp_5f1c2d3e4a5b6c7d8e9f0a1b')
export const importExample = {
  id: 'imp_5f1c2d3e4a5b6c7d8e9f0a1b',
  state: 'uploading',
  lines: 0,
  added: 0,
  bad: 0,
  badLines: [],
  reason: null,
  createdAt: '2026-11-14T22:00:00Z',
  finishedAt: null,
  isReviewed: false,
  fileName: null,
  changed: 0,
  undoUntil: null,
}
/** Of an import without a review. */
export const noDetails = { table: null, reading: null, values: [], counts: null, photos: null, kept: [], keptCount: 0 }

export const onBadLineFault = `'onBadLine' must be one of ${onBadLines.join(', ')}.`
export const partsFault = `'parts' must be an integer from 1 to ${PARTS_MAX}.`

export const listImports = {
  operationId: 'listImports',
  method: 'GET',
  path: '/projects/{project}/imports',
  tag: 'imports',
  access: 'viewer',
  summary: 'List imports',
  description: `The last ${IMPORTS_SHOWN}, newest first.`,
  parameters: { project: projectSlug },
  success: { status: 200, description: 'The imports.', schema: Imports, headers: ['ETag'], example: [importExample] },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const createImport = {
  operationId: 'createImport',
  method: 'POST',
  path: '/projects/{project}/imports',
  tag: 'imports',
  access: 'admin',
  summary: 'Create an import',
  description:
    'Next, upload the file in parts, then start the import within a day, or, if it is to be reviewed, have it read. How many imports can be unfinished depends on the plan.',
  parameters: { project: projectSlug },
  body: {
    schema: NewImport,
    faults: {
      onBadLine: onBadLineFault,
      isReviewed: "'isReviewed' must be true or false.",
      fileName: "'fileName' must be text of at most 255 characters without control characters.",
    },
    examples: {
      one: { summary: 'All or nothing', value: { onBadLine: 'refuse' } },
      two: { summary: 'To be reviewed', value: { onBadLine: 'skip', isReviewed: true, fileName: 'animals.xlsx' } },
    },
  },
  success: { status: 201, description: 'The import.', schema: Import, headers: [], example: importExample },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const putImportPart = {
  operationId: 'putImportPart',
  method: 'PUT',
  path: '/projects/{project}/imports/{importId}/parts/{number}',
  tag: 'imports',
  access: 'admin',
  summary: 'Upload a part of the file',
  description: `Parts are joined in the order of their numbers, 1 to ${PARTS_MAX}, and the file can be split anywhere. A part can be sent again; the last one counts.`,
  parameters: { project: projectSlug, importId, number: idParameter('Number of the part.', '1') },
  body: {
    types: ['text/csv', 'application/octet-stream'],
    bytesMax: PART_BYTES_MAX,
    description:
      'CSV (RFC 4180, UTF-8). The first row contains the column names, in any order: name and categoryId, and optionally status; a column id is ignored, because new animals get new identifiers. Of an import that is reviewed: any CSV file, with commas, semicolons, tabs or bars, or an XLSX file.',
  },
  success: { status: 204, description: 'Stored.', headers: [] },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const startImport = {
  operationId: 'startImport',
  method: 'POST',
  path: '/projects/{project}/imports/{importId}/start',
  tag: 'imports',
  access: 'admin',
  summary: 'Start an import',
  description: 'Rejected while parts are missing. The import runs in the background: all animals are added, or none.',
  parameters: { project: projectSlug, importId },
  body: {
    schema: ImportStart,
    faults: { parts: partsFault },
    examples: { one: { summary: 'Three parts', value: { parts: 3 } } },
  },
  success: {
    status: 202,
    description: 'The import, queued.',
    schema: Import,
    headers: [],
    example: { ...importExample, state: 'queued' },
  },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const getImport = {
  operationId: 'getImport',
  method: 'GET',
  path: '/projects/{project}/imports/{importId}',
  tag: 'imports',
  access: 'viewer',
  summary: 'Show an import',
  description:
    'Its progress, and its result; of one that is reviewed also its table, the matches of its values and its counts. It is reviewed as long as its state is `mapping` or `reviewing`, and ends unless it is applied within 7 days.',
  parameters: { project: projectSlug, importId },
  success: {
    status: 200,
    description: 'The import.',
    schema: ImportDetails,
    headers: ['ETag'],
    example: { ...importExample, ...noDetails, state: 'running', lines: 12_000 },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const discardImport = {
  operationId: 'discardImport',
  method: 'DELETE',
  path: '/projects/{project}/imports/{importId}',
  tag: 'imports',
  access: 'admin',
  summary: 'Discard an import',
  description: 'One that is to be reviewed and has not been applied. Its file and its rows are deleted.',
  parameters: { project: projectSlug, importId },
  success: { status: 204, description: 'Discarded.', headers: [] },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const importOperations: readonly PlatformOperation[] = [
  listImports,
  createImport,
  getImport,
  discardImport,
  putImportPart,
  startImport,
]
