// Parts of the dashboard that are loaded when somebody wants them. One that does not come
// because nobody answers is asked for again as soon as somebody does; until then the page
// stays as it is, with all that was typed. One that is gone, because a new version was
// published meanwhile, is a failure of the page, which then loads the new version.

import { connection } from './connection.ts'

export const retryWhenOnline =
  <Part>(load: () => Promise<Part>) =>
  async (): Promise<Part> => {
    for (;;) {
      try {
        return await load()
      } catch (error) {
        if (await connection.isThere()) throw error
        await connection.back()
        askForStylesAgain()
      }
    }
  }

/** A style sheet that did not come is asked for once, however often its part is. */
function askForStylesAgain(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (link.sheet === null) link.replaceWith(link.cloneNode())
}
