// Where a person lands after signing in. Pure.

/** In the store, if there is exactly one; a list with one entry is a detour. Otherwise the list, or the welcome on it. */
export const landingOf = (projects: readonly { slug: string }[]) =>
  projects.length === 1 && projects[0]
    ? ({ to: '/projects/$project', params: { project: projects[0].slug } } as const)
    : ({ to: '/projects' } as const)
