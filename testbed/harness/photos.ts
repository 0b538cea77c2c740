// Photos of animals for tests, written straight into the database: rows and objects, as the worker leaves them.

import { hash } from 'node:crypto'
import { masterFile, RECIPE, sharedFile, VARIANT_WIDTHS, variantFile } from '@petstore-platform/contract/photo-files'
import { centre, type Focal } from '@petstore-platform/contract/platform/photos'
import sharp from 'sharp'
import { statement } from '../../server/src/foundation/postgres/postgres.io.ts'
import type { InProject, ProjectId } from '../../server/src/projects/scope.io.ts'

export type TestPhoto = {
  /** Makes it different from others. */
  seed: string
  position?: number
  state?: 'ready' | 'processing' | 'failed'
  width?: number
  height?: number
  alt?: string
  focal?: Focal
  /** Bytes of a file; without it they are its name. */
  bytesOf?: (file: string, width: number) => Promise<Buffer>
}

const insertPhoto = statement<object, readonly unknown[]>(
  'test-insert-photo',
  `insert into photos (project_id, pet_id, id, position, state, reason, upload, digest, source, recipe, widths, sizes,
     width, height, alt, focal_x, focal_y)
   values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, '{1}', $11, $12, $13, $14, $15)`,
)
const insertObject = statement<object, readonly unknown[]>(
  'test-insert-object',
  `insert into objects (project_id, key, bytes) values ($1, $2, $3) on conflict do nothing`,
)
const deletePhoto = statement<object, readonly unknown[]>(
  'test-delete-photo',
  `delete from photos where project_id = $1 and digest = $2`,
)

/** Returns the digest. All files are written, whatever the state. */
export async function putPhoto(
  inProject: InProject,
  project: ProjectId,
  petId: bigint,
  { seed, position = 0, state = 'ready', width = 1600, height = 1200, alt = '', focal = centre, bytesOf }: TestPhoto,
): Promise<string> {
  const digest = hash('sha256', seed, 'hex')
  const widths = VARIANT_WIDTHS.filter((one) => one <= width)
  const isReady = state === 'ready'
  const id = `pho_${hash('sha256', `${petId} ${seed}`, 'hex').slice(0, 24)}`
  const files: [name: string, width: number][] = [
    [masterFile(RECIPE), width],
    ...widths.map((one): [string, number] => [variantFile(RECIPE, one), one]),
    [sharedFile(RECIPE), Math.min(width, 1200)],
  ]
  const made = await Promise.all(
    files.map(
      async ([name, one]) => [name, bytesOf ? await bytesOf(name, one) : Buffer.from(`${seed} ${name}`)] as const,
    ),
  )
  await inProject(project, async (db) => {
    await db(
      insertPhoto,
      project,
      petId,
      id,
      position,
      state,
      state === 'failed' ? 'damaged' : null,
      digest,
      state === 'processing' ? `uploads/${id}` : null,
      RECIPE,
      isReady ? widths : [],
      isReady ? width : null,
      isReady ? height : null,
      alt,
      focal.x,
      focal.y,
    )
    for (const [name, bytes] of made) await db(insertObject, project, `photos/${digest}/${name}`, bytes)
  })
  return digest
}

export const removePhoto = (inProject: InProject, project: ProjectId, digest: string): Promise<unknown> =>
  inProject(project, (db) => db(deletePhoto, project, digest))

/** A picture of a realistic size: soft shapes with grain, about 25 kB at 320 pixels and 60 kB at 640. */
export function drawnPhoto(hue: number, ratio: number): NonNullable<TestPhoto['bytesOf']> {
  return async (name, width) => {
    const height = Math.round(width / ratio)
    const shapes = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none">
      <rect width="100" height="100" fill="hsl(${hue},35%,70%)"/>
      <circle cx="50" cy="55" r="34" fill="hsl(${hue + 40},45%,45%)"/>
      <circle cx="40" cy="48" r="4" fill="#222"/><circle cx="60" cy="48" r="4" fill="#222"/>
      <ellipse cx="50" cy="62" rx="8" ry="5" fill="#411"/></svg>`
    const grain = await sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma: width <= 320 ? 64 : 40 },
      },
    })
      .png()
      .toBuffer()
    const drawn = sharp(Buffer.from(shapes), { density: 72 })
      .resize(width, height, { fit: 'fill' })
      .composite([{ input: grain, blend: 'soft-light' }])
      .flatten()
    return name.endsWith('.jpg') ? drawn.jpeg({ quality: 80 }).toBuffer() : drawn.webp({ quality: 72 }).toBuffer()
  }
}
