// Imports of animals from CSV files of any size: uploaded in parts, and applied in the
// background, all or nothing. The export is one of the operations on animals.

import { Type } from 'typebox'
import { Time, TimeOrNull } from './accounts.ts'
import { idParameter, member, projectSlug, type PlatformOperation } from './operation.ts'

export const PARTS_MAX = 100_000
export const PART_BYTES_MAX = 1_048_576
export const BAD_LINES_SHOWN = 100
export const IMPORTS_SHOWN = 100
export const OPEN_IMPORTS_MAX = 10

export const importStates = ['uploading', 'queued', 'running', 'succeeded', 'failed'] as const
export type ImportState = (typeof importStates)[number]
export const onBadLines = ['refuse', 'skip'] as const
export type OnBadLine = (typeof onBadLines)[number]

const count = (description: string) => Type.Integer({ format: 'int64', minimum: 0, description })

export const BadLine = Type.Object(
  { line: count('Line of the file, the first is 1.'), reason: Type.String({ description: 'What is wrong with it.' }) },
  { $id: 'BadLine' },
)
export type BadLine = { line: number; reason: string }

export const Import = Type.Object(
  {
    id: Type.String(),
    state: Type.Unsafe<ImportState>({ type: 'string', enum: [...importStates] }),
    lines: count('Rows read so far, valid or not.'),
    added: count('Animals added. None before the whole import has succeeded.'),
    bad: count('Rows that are not valid.'),
    badLines: Type.Array(BadLine, { maxItems: BAD_LINES_SHOWN, description: 'The first invalid rows.' }),
    reason: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Why it failed.' }),
    createdAt: Time,
    finishedAt: TimeOrNull,
  },
  { $id: 'Import', description: 'An import of animals from a CSV file.' },
)
export const Imports = Type.Array(Import, { $id: 'Imports', maxItems: IMPORTS_SHOWN })
export const NewImport = Type.Object(
  {
    onBadLine: Type.Unsafe<OnBadLine>({
      type: 'string',
      enum: [...onBadLines],
      description: 'Whether an invalid row fails the import, with nothing added, or is skipped and reported.',
    }),
  },
  { $id: 'NewImport', additionalProperties: false },
)
export const ImportStart = Type.Object(
  { parts: Type.Integer({ minimum: 1, maximum: PARTS_MAX, description: 'Number of parts sent.' }) },
  { $id: 'ImportStart', additionalProperties: false },
)

const importId = idParameter('Identifier of the import.', 'imp_5f1c2d3e4a5b6c7d8e9f0a1b')
const example = {
  id: 'imp_5f1c2d3e4a5b6c7d8e9f0a1b',
  state: 'uploading',
  lines: 0,
  added: 0,
  bad: 0,
  badLines: [],
  reason: null,
  createdAt: '2026-11-14T22:00:00Z',
  finishedAt: null,
}

export const listImports = {
  operationId: 'listImports',
  method: 'GET',
  path: '/projects/{project}/imports',
  tag: 'imports',
  access: 'viewer',
  summary: 'List imports',
  description: `The last ${IMPORTS_SHOWN}, newest first.`,
  parameters: { project: projectSlug },
  success: { status: 200, description: 'The imports.', schema: Imports, headers: ['ETag'], example: [example] },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const createImport = {
  operationId: 'createImport',
  method: 'POST',
  path: '/projects/{project}/imports',
  tag: 'imports',
  access: 'admin',
  summary: 'Create an import',
  description: `Next, upload the file in parts, then start the import within a day. At most ${OPEN_IMPORTS_MAX} imports can be unfinished.`,
  parameters: { project: projectSlug },
  body: {
    schema: NewImport,
    faults: { onBadLine: `'onBadLine' must be one of ${onBadLines.join(', ')}.` },
    examples: { one: { summary: 'All or nothing', value: { onBadLine: 'refuse' } } },
  },
  success: { status: 201, description: 'The import.', schema: Import, headers: [], example },
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
    types: ['text/csv'],
    bytesMax: PART_BYTES_MAX,
    description:
      'CSV (RFC 4180, UTF-8). The first row contains the column names, in any order: name and categoryId, and optionally status; a column id is ignored, because new animals get new identifiers.',
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
    faults: { parts: `'parts' must be an integer from 1 to ${PARTS_MAX}.` },
    examples: { one: { summary: 'Three parts', value: { parts: 3 } } },
  },
  success: {
    status: 202,
    description: 'The import, queued.',
    schema: Import,
    headers: [],
    example: { ...example, state: 'queued' },
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
  description: 'Its progress, and its result.',
  parameters: { project: projectSlug, importId },
  success: {
    status: 200,
    description: 'The import.',
    schema: Import,
    headers: ['ETag'],
    example: { ...example, state: 'running', lines: 12_000 },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const importOperations: readonly PlatformOperation[] = [
  listImports,
  createImport,
  getImport,
  putImportPart,
  startImport,
]
