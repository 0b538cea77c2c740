// Which forms of a release are built: those that are named, or all that this machine can build. Pure.

export type ChosenForms = {
  chosen: readonly string[]
  /** A sentence about a form that was not named and cannot be built here. */
  leftOut?: string
}

const IMAGE = 'image'
const install = 'apt-get install --no-install-recommends buildah'

export function chooseForms(all: readonly string[], named: readonly string[], hasBuildah: boolean): ChosenForms {
  const unknown = named.find((name) => !all.includes(name))
  if (unknown !== undefined) throw new Error(`There is no form "${unknown}". There are: ${all.join(', ')}.`)
  if (hasBuildah) return { chosen: named.length === 0 ? all : named }
  if (named.includes(IMAGE)) throw new Error(`The form "${IMAGE}" needs buildah: ${install}`)
  if (named.length > 0) return { chosen: named }
  return {
    chosen: all.filter((name) => name !== IMAGE),
    leftOut: `The form "${IMAGE}" is left out, since buildah is not installed: ${install}`,
  }
}
