// Two builds of one commit, in different folders and at different times, have the same bytes.

import type { ShipLine } from '../line.ts'
import type { BuiltRelease, Workshop } from '../workshop.ts'

let second: BuiltRelease | undefined
const secondBuild = (workshop: Workshop) =>
  (second ??= workshop.build(workshop.clone('elsewhere/second'), ['npm', 'linux-x64']))

export const reproducible: ShipLine = {
  name: 'reproducible',
  title: 'two builds in different folders have the same digests of tree, npm package and tarball',
  async run(workshop) {
    const one = workshop.release()
    const other = secondBuild(workshop)
    for (const { file, sha256, tree } of other.files) {
      const same = one.files.find((built) => built.file === file)
      if (same?.tree !== tree) throw new Error(`The trees of ${file} differ.`)
      if (same.sha256 !== sha256) throw new Error(`${file} differs, and its tree does not.`)
    }
    return Object.fromEntries(
      one.files.flatMap(({ file, bytes, seconds }) => [
        [`${file}, MB`, Math.round(bytes / 1e5) / 10],
        [`${file}, s`, seconds],
      ]),
    )
  },
  control: {
    title: 'with the time of the build instead of that of the commit they differ',
    async run(workshop) {
      const one = workshop.release()
      const later = workshop.build(secondBuild(workshop).clone, ['npm'], Math.floor(Date.now() / 1000))
      const [built] = later.files
      const same = one.files.find(({ file }) => file === built?.file)
      if (!built || !same || built.sha256 === same.sha256) throw new Error('The digests are the same.')
      return { before: same.sha256.slice(0, 12), now: built.sha256.slice(0, 12) }
    },
  },
}
