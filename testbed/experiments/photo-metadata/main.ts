// Photos with GPS data and orientations 1 to 8 through the process that decodes.
//
//   npm run experiment -- photo-metadata --help
//
// It fails if a file that is served has metadata, or is not upright.

import sharp from 'sharp'
import { readFlags } from '../flags.ts'
import { runMetadata } from './run.ts'

const flags = readFlags('photo-metadata')
const figures = await runMetadata({
  photos: Number(flags.photos),
  width: 1250,
  height: 800,
  processes: 2,
  ...(flags.keep && {
    serve: async (files, upload) => [
      ...files,
      { name: 'kept.webp', bytes: await sharp(upload).keepMetadata().webp().toBuffer() },
    ],
  }),
})
const { findings, ...rest } = figures
process.stdout.write(
  flags.json
    ? `${JSON.stringify(figures)}\n`
    : `${rest.photos} photos, ${rest.files} files in ${rest.seconds} s\n${findings.join('\n') || 'No metadata, and all are upright.'}\n`,
)
process.exitCode = findings.length > 0 ? 1 : 0
