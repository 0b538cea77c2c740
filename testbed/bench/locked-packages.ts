// What two trees have installed, by their package-lock.json: a tree that runs on the same packages
// as this one needs no installation of its own. Pure.

export type Lock = { packages: Readonly<Record<string, LockedPackage>> }
type LockedPackage = { integrity?: string; dev?: boolean; link?: boolean; resolved?: string }

/** Of the packages that a program runs on; those that only tests and tools use may differ. */
export function isSameInstallation(one: Lock, other: Lock): boolean {
  const [wanted, found] = [one, other].map(installedBy)
  return JSON.stringify(wanted) === JSON.stringify(found)
}

const installedBy = ({ packages }: Lock) =>
  Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { integrity }]) => [path, integrity] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))

/** Where npm puts a link to each workspace, and the folder that it leads to. */
export const workspacesOf = ({ packages }: Lock): { link: string; folder: string }[] =>
  Object.entries(packages).flatMap(([link, { link: isLink, resolved }]) =>
    isLink && resolved !== undefined ? [{ link, folder: resolved }] : [],
  )
