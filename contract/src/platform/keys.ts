// API keys of a project: the credentials of programs for `/v1`. A key is returned only in the
// response that creates it.

import { Type, type Static } from 'typebox'
import { scopes, type Scope } from '../operations.ts'
import { Time, TimeOrNull } from './accounts.ts'
import { idParameter, member, projectSlug, type PlatformOperation } from './operation.ts'

export const KEYS_SHOWN_MAX = 1000
export const OVERLAP_SECONDS_DEFAULT = 24 * 60 * 60
export const OVERLAP_SECONDS_MAX = 30 * 24 * 60 * 60

const label = Type.Unsafe<string>({
  type: 'string',
  minLength: 1,
  maxLength: 100,
  allOf: [{ pattern: '\\S' }, { pattern: '^[^\\u0000-\\u001F\\u007F]*$' }],
  description: 'What the key is for.',
})
const scopeList = Type.Unsafe<Scope[]>({
  type: 'array',
  items: { type: 'string', enum: [...scopes] },
  minItems: 1,
  maxItems: scopes.length,
  uniqueItems: true,
  description: 'What the key may do.',
})
export const expiresAtFault =
  "'expiresAt' must be null or an RFC 3339 time in the future, such as 2027-01-31T00:00:00Z."

export const Key = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the key; not secret.' }),
    label,
    displayPrefix: Type.String({ description: 'First characters of the key, to tell keys apart.' }),
    lastFour: Type.String({ description: 'Last four characters of the key.' }),
    scopes: scopeList,
    createdBy: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Identifier of the person who created it, who may have left since; null if it was the operator.',
    }),
    createdAt: Time,
    expiresAt: TimeOrNull,
    revokedAt: TimeOrNull,
    lastUsedAt: Type.Unsafe<string | null>({
      ...TimeOrNull,
      description: 'To the minute; null if it has never been used.',
    }),
    deprecatedCalls: Type.Integer({ minimum: 0, description: 'Number of calls to deprecated operations.' }),
  },
  { $id: 'Key', description: 'An API key without its secret.' },
)
export const Keys = Type.Array(Key, { $id: 'Keys', maxItems: KEYS_SHOWN_MAX })

const shownOnce = Type.String({ description: 'The key itself. Returned only in this response.' })
export const FreshKey = Type.Object({ ...Key.properties, key: shownOnce }, { $id: 'FreshKey' })
export const RotatedKey = Type.Object(
  {
    ...Key.properties,
    key: shownOnce,
    old: Type.Unsafe<Static<typeof Key>>({ ...Key, description: 'The key that it replaces.' }),
  },
  { $id: 'RotatedKey' },
)

export const NewKey = Type.Object(
  {
    label,
    scopes: Type.Optional(Type.Unsafe<Scope[]>({ ...scopeList, default: [...scopes] })),
    expiresAt: Type.Optional(
      Type.Unsafe<string | null>({
        ...TimeOrNull,
        default: null,
        description: 'When it expires; null for a key without expiry.',
      }),
    ),
  },
  { $id: 'NewKey', additionalProperties: false },
)
export const KeyRotation = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_SECONDS_MAX,
        default: OVERLAP_SECONDS_DEFAULT,
        description: 'How long the old key stays valid, in seconds, unless it expires earlier.',
      }),
    ),
  },
  { $id: 'KeyRotation', additionalProperties: false },
)

const key = {
  id: 'key_5f0c1d2e3b4a69788796a5b4',
  label: 'Stock system',
  displayPrefix: 'pets_live_Ab3d',
  lastFour: '9xYz',
  scopes: ['pets:read', 'pets:write'],
  createdBy: 'acc_3d2f8a1b6c7e',
  createdAt: '2026-11-14T22:00:00Z',
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: '2026-11-14T22:05:00Z',
  deprecatedCalls: 0,
}
const secret = 'pets_live_Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4f0A9xYz'
const keyId = idParameter('Identifier of the key.', key.id)

export const listKeys = {
  operationId: 'listKeys',
  method: 'GET',
  path: '/projects/{project}/keys',
  tag: 'keys',
  access: 'viewer',
  summary: 'List API keys',
  description: `Active keys first, then revoked and expired ones; each newest first, at most ${KEYS_SHOWN_MAX}.`,
  parameters: { project: projectSlug },
  success: { status: 200, description: 'The keys.', schema: Keys, headers: ['ETag'], example: [key] },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const createKey = {
  operationId: 'createKey',
  method: 'POST',
  path: '/projects/{project}/keys',
  tag: 'keys',
  access: 'admin',
  recent: true,
  summary: 'Create an API key',
  description: 'The key is returned only in this response. The plan limits the number of active keys.',
  parameters: { project: projectSlug },
  body: {
    schema: NewKey,
    faults: {
      label: "'label' must have 1 to 100 characters, not only white space and without control characters.",
      scopes: `'scopes' must be a list of different ones of ${scopes.join(', ')}, and not empty.`,
      expiresAt: expiresAtFault,
    },
    examples: {
      least: { summary: 'All scopes, without expiry', value: { label: 'Stock system' } },
      full: {
        summary: 'Read-only, with an expiry date',
        value: { label: 'Price list', scopes: ['pets:read'], expiresAt: '2027-01-31T00:00:00Z' },
      },
    },
  },
  success: {
    status: 201,
    description: 'The key, returned only once.',
    schema: FreshKey,
    headers: [],
    example: { ...key, lastUsedAt: null, key: secret },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const rotateKey = {
  operationId: 'rotateKey',
  method: 'POST',
  path: '/projects/{project}/keys/{keyId}/rotate',
  tag: 'keys',
  access: 'admin',
  recent: true,
  summary: 'Replace an API key',
  description:
    'Creates a key with the same label and scopes; the old one stays valid for the overlap, so that programs can switch. Send `{}` for an overlap of 24 hours.',
  parameters: { project: projectSlug, keyId },
  body: {
    schema: KeyRotation,
    faults: { overlapSeconds: `'overlapSeconds' must be an integer from 0 to ${OVERLAP_SECONDS_MAX}.` },
    examples: { one: { summary: 'An hour to switch', value: { overlapSeconds: 3600 } } },
  },
  success: {
    status: 201,
    description: 'The new key, returned only once, and the old one.',
    schema: RotatedKey,
    headers: [],
    example: {
      ...key,
      id: 'key_6a1d2e3f4c5b7a899807b6c5',
      lastUsedAt: null,
      key: secret,
      old: { ...key, expiresAt: '2026-11-15T23:00:00Z' },
    },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const revokeKey = {
  operationId: 'revokeKey',
  method: 'DELETE',
  path: '/projects/{project}/keys/{keyId}',
  tag: 'keys',
  access: 'admin',
  summary: 'Revoke an API key',
  description: 'The key is rejected everywhere within a second, permanently. Revoking it again has no effect.',
  parameters: { project: projectSlug, keyId },
  success: { status: 204, description: 'Revoked.', headers: [] },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const keyOperations: readonly PlatformOperation[] = [listKeys, createKey, rotateKey, revokeKey]
