// Photos of an animal. One is uploaded per request as raw bytes, and processed in the background into the files that
// pages show; until then its state is `processing`.

import { Type, type Static } from 'typebox'
import { idempotencyKey, petId as animalId, type Parameter } from '../parameters.ts'
import { idParameter, member, projectSlug, type PlatformOperation } from './operation.ts'

export const PHOTOS_MAX = 20
export const PHOTO_BYTES_MAX = 20_000_000
export const PHOTO_SIDE_MIN = 200
export const PHOTO_PIXELS_MAX = 50_000_000
export const ALT_LENGTH_MAX = 250
/** The focal point is a cell of a grid with so many columns and rows. */
export const FOCAL_CELLS = 5

export const photoStates = ['processing', 'ready', 'failed'] as const
export type PhotoState = (typeof photoStates)[number]
/** Why a photo could not be processed: it is damaged, needs too much memory or time, or the failure is ours. */
export const photoReasons = ['damaged', 'memory', 'time', 'internal'] as const
export type PhotoReason = (typeof photoReasons)[number]
/** Degrees, clockwise. */
export const turns = [0, 90, 180, 270] as const
export type Turn = (typeof turns)[number]
/** What the bytes are is detected from the bytes; these types are read, all others get a reason why not. */
export const photoTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/*', 'application/octet-stream'] as const
export const photoFileTypes = ['image/webp', 'image/jpeg'] as const

const cell = Type.Integer({ minimum: 0, maximum: FOCAL_CELLS - 1 })
export const Focal = Type.Object(
  { x: cell, y: cell },
  {
    $id: 'Focal',
    additionalProperties: false,
    description: `What must stay visible where the photo is cropped: a column and a row of a grid of ${FOCAL_CELLS} × ${FOCAL_CELLS}, from the top left.`,
  },
)
export type Focal = Static<typeof Focal>
export const centre: Focal = { x: 2, y: 2 }

const alt = Type.Unsafe<string>({
  type: 'string',
  maxLength: ALT_LENGTH_MAX,
  pattern: '^[^\\u0000-\\u001F\\u007F]*$',
  description: 'What the photo shows, for people who cannot see it; empty for a description made of the profile.',
})
const pixels = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, description })
const turn = Type.Unsafe<Turn>({ type: 'integer', enum: [...turns], description: 'Rotation in degrees, clockwise.' })
const digest = Type.Unsafe<string>({
  type: 'string',
  pattern: '^[0-9a-f]{64}$',
  description: 'Part of the addresses of its files; changes with the rotation.',
})
const recipe = Type.Integer({ minimum: 1, description: 'Part of the names of its files.' })
const widths = Type.Array(Type.Integer({ minimum: 1 }), {
  maxItems: 8,
  description: 'Widths in which it exists, ascending; empty until it is ready.',
})

export const Photo = Type.Object(
  {
    id: Type.String(),
    state: Type.Unsafe<PhotoState>({ type: 'string', enum: [...photoStates] }),
    reason: Type.Unsafe<PhotoReason | null>({
      type: ['string', 'null'],
      enum: [...photoReasons, null],
      description: 'Why it failed; null otherwise.',
    }),
    digest,
    recipe,
    widths,
    width: pixels('Width of the upright photo; null until it is ready.'),
    height: pixels('Height of the upright photo; null until it is ready.'),
    alt,
    focal: Focal,
    turn,
  },
  { $id: 'Photo', description: 'A photo of an animal.' },
)
export type Photo = Static<typeof Photo>
export const Photos = Type.Array(Photo, {
  $id: 'Photos',
  maxItems: PHOTOS_MAX,
  description: 'In order; the first one is the cover.',
})

/** Everything that a page needs to show a photo that is ready, and nothing else. */
export const PublicPhoto = Type.Object(
  {
    digest,
    recipe,
    widths,
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    alt,
    focal: Focal,
  },
  { $id: 'PublicPhoto', description: 'A photo as visitors see it.' },
)
export type PublicPhoto = Static<typeof PublicPhoto>

export const PhotoChange = Type.Object(
  { alt: Type.Optional(alt), focal: Type.Optional(Focal), turn: Type.Optional(turn) },
  { $id: 'PhotoChange', additionalProperties: false, description: 'At least one field is required.' },
)
export type PhotoChange = Static<typeof PhotoChange>
export const PhotoOrder = Type.Object(
  {
    photoIds: Type.Array(Type.String(), {
      maxItems: PHOTOS_MAX,
      uniqueItems: true,
      description: 'All photos of the animal, in their new order.',
    }),
  },
  { $id: 'PhotoOrder', additionalProperties: false },
)

const photoId = idParameter('Identifier of the photo.', 'pho_5f1c2d3e4a5b6c7d8e9f0a1b')
const inAnimal = { project: projectSlug, petId: animalId }
const digestParameter: Parameter<string, 'path'> = {
  in: 'path',
  description: 'Digest of the photo.',
  schema: { type: 'string' },
  refusal: 'not_found',
  example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}

const example = {
  id: 'pho_5f1c2d3e4a5b6c7d8e9f0a1b',
  state: 'ready',
  reason: null,
  digest: digestParameter.example,
  recipe: 1,
  widths: [320, 640, 960],
  width: 1200,
  height: 900,
  alt: 'Rex in the garden',
  focal: centre,
  turn: 0,
}
export const photoExample = example
const beingProcessed = { ...example, state: 'processing', widths: [], width: null, height: null, alt: '' }

export const addPhoto = {
  operationId: 'addPhoto',
  method: 'POST',
  path: '/projects/{project}/animals/{petId}/photos',
  tag: 'animals',
  access: 'admin',
  summary: 'Upload a photo',
  description: `Adds a photo after the others; an animal can have at most ${PHOTOS_MAX}. JPEG, PNG or WebP, not animated, with at least ${PHOTO_SIDE_MIN} pixels on each side and at most ${PHOTO_PIXELS_MAX / 1_000_000} megapixels; the type is detected from the bytes. It is processed in the background, within seconds: turned upright, without its metadata, in several widths. With an \`Idempotency-Key\` the request may be repeated until it succeeds, and adds one photo.`,
  parameters: { ...inAnimal, 'Idempotency-Key': idempotencyKey },
  body: {
    types: photoTypes,
    bytesMax: PHOTO_BYTES_MAX,
    isStreamed: true,
    description: `The file: at most ${PHOTO_BYTES_MAX / 1_000_000} MB, sent at 8 kB per second or faster. While many uploads are under way it must be faster; one that is ended with 408 can be repeated.`,
  },
  success: { status: 201, description: 'The photo.', schema: Photo, headers: [], example: beingProcessed },
  otherStatuses: [...member, 409, 422, 503],
} as const satisfies PlatformOperation

export const changePhoto = {
  operationId: 'changePhoto',
  method: 'PATCH',
  path: '/projects/{project}/animals/{petId}/photos/{photoId}',
  tag: 'animals',
  access: 'admin',
  summary: 'Change a photo',
  description:
    'Changes description, focal point or rotation; omitted fields are not changed. A photo that is rotated is processed again.',
  parameters: { ...inAnimal, photoId },
  body: {
    schema: PhotoChange,
    faults: {
      alt: `'alt' must be text of at most ${ALT_LENGTH_MAX} characters without control characters.`,
      focal: `'focal' must hold x and y, each an integer from 0 to ${FOCAL_CELLS - 1}.`,
      turn: `'turn' must be one of ${turns.join(', ')}.`,
    },
    examples: { one: { summary: 'A description', value: { alt: 'Rex in the garden' } } },
  },
  success: { status: 200, description: 'The photo.', schema: Photo, headers: [], example },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const orderPhotos = {
  operationId: 'orderPhotos',
  method: 'PUT',
  path: '/projects/{project}/animals/{petId}/photos/order',
  tag: 'animals',
  access: 'admin',
  summary: 'Put photos in order',
  description: 'The first one becomes the cover. Rejected if photos were added or deleted in the meantime.',
  parameters: inAnimal,
  body: {
    schema: PhotoOrder,
    faults: { photoIds: "'photoIds' must list every photo of the animal once." },
    examples: { one: { summary: 'One photo', value: { photoIds: [example.id] } } },
  },
  success: { status: 200, description: 'The photos, in order.', schema: Photos, headers: [], example: [example] },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const deletePhoto = {
  operationId: 'deletePhoto',
  method: 'DELETE',
  path: '/projects/{project}/animals/{petId}/photos/{photoId}',
  tag: 'animals',
  access: 'admin',
  summary: 'Delete a photo',
  description: 'It leaves the site at once; its files are deleted after 7 days.',
  parameters: { ...inAnimal, photoId },
  success: { status: 204, description: 'Deleted.', headers: [] },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const getPhotoFile = {
  operationId: 'getPhotoFile',
  method: 'GET',
  path: '/projects/{project}/photos/{digest}/{file}',
  tag: 'animals',
  access: 'viewer',
  summary: 'Show a file of a photo',
  description:
    'A file of a photo that is ready, as visitors get it from the site: `<recipe>-<width>.webp`, or `<recipe>-shared.jpg`. Its bytes never change.',
  parameters: {
    project: projectSlug,
    digest: digestParameter,
    file: idParameter('Name of the file.', '1-640.webp'),
  },
  success: {
    status: 200,
    description: 'The image.',
    types: photoFileTypes,
    headers: ['Content-Security-Policy'],
    isImmutable: true,
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const photoOperations: readonly PlatformOperation[] = [
  addPhoto,
  changePhoto,
  orderPhotos,
  deletePhoto,
  getPhotoFile,
]
