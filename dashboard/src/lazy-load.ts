// Loads parts of the dashboard on demand. A part that fails to load because the server is
// unreachable is retried as soon as it is reachable; until then the page stays as it is,
// with all input. A part that no longer exists, because a new version was deployed, is a
// failure of the page, which then loads the new version.

import { connection } from './connection.ts'

export const retryWhenOnline =
  <Part>(load: () => Promise<Part>) =>
  async (): Promise<Part> => {
    for (;;) {
      const wasLost = connection.isLost()
      try {
        return await load()
      } catch (error) {
        // What failed while the server could not be reached may be reported when it is back.
        if ((await connection.isThere()) && !wasLost) throw error
        await connection.back()
        reloadStyles()
      }
    }
  }

/** A style sheet that failed to load is requested once, however often its part is. */
function reloadStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (link.sheet === null) link.replaceWith(link.cloneNode())
}
