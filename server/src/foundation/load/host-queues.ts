// Lets a few things at a time happen per host; others wait, and their projects take turns. Pure.

/** What is done at a host, for which project, and when it no longer waits for its turn. */
export type AtHost = { host: string; project: bigint; until: AbortSignal }

/** Undefined if its turn did not come in time. */
export type HostQueues = <Result>(at: AtHost, work: () => Promise<Result>) => Promise<Result | undefined>

/** Projects are in the order of their turns. */
type Host = { running: number; waiting: Map<bigint, Turn[]> }
type Turn = () => void

export function hostQueues(atOnce: number): HostQueues {
  const hosts = new Map<string, Host>()
  return async ({ host, project, until }, work) => {
    const own: Host = hosts.get(host) ?? { running: 0, waiting: new Map() }
    hosts.set(host, own)
    // What is called up takes the place of what has finished.
    if (own.running < atOnce) own.running += 1
    else if (!(await turnOf(own, project, until))) return undefined
    try {
      return await work()
    } finally {
      const next = takeNext(own)
      if (next) next()
      else own.running -= 1
      if (own.running === 0) hosts.delete(host)
    }
  }
}

function turnOf({ waiting }: Host, project: bigint, until: AbortSignal): Promise<boolean> {
  if (until.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const giveUp = () => {
      keep(
        waiting,
        project,
        waiting.get(project)?.filter((one) => one !== turn),
      )
      resolve(false)
    }
    const turn = () => {
      until.removeEventListener('abort', giveUp)
      resolve(true)
    }
    waiting.set(project, [...(waiting.get(project) ?? []), turn])
    until.addEventListener('abort', giveUp, { once: true })
  })
}

/** The first of the project whose turn it is, which then comes after all others. */
function takeNext({ waiting }: Host): Turn | undefined {
  for (const [project, [first, ...later]] of waiting) {
    waiting.delete(project)
    keep(waiting, project, later)
    return first
  }
  return undefined
}

function keep(waiting: Host['waiting'], project: bigint, turns: Turn[] = []): void {
  if (turns.length > 0) waiting.set(project, turns)
  else waiting.delete(project)
}
