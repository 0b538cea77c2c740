// The addresses that a person without a session may see. Everywhere else, the end of a session leads to signing in. Pure.

const open = [
  '/sign-in',
  '/sign-in-link',
  '/recovery',
  '/secure',
  '/confirm-email',
  '/undo-email',
  '/sign-up',
  '/invitations',
  '/unsubscribe/',
  '/dns/',
]

export const isOpenPath = (pathname: string): boolean =>
  pathname === '/' || open.some((path) => pathname.startsWith(path))
