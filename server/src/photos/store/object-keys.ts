// The keys of stored objects: an upload by its photo, and the files of a photo by its digest. Pure.

const UPLOADS = 'uploads/'
const FILES = 'photos/'

export const uploadKey = (photo: string): string => `${UPLOADS}${photo}`

/** The prefix of all files of photos with this digest. */
export const filesPrefix = (digest: string): string => `${FILES}${digest}/`
export const fileKey = (digest: string, name: string): string => `${filesPrefix(digest)}${name}`

export const isUpload = (key: string): boolean => key.startsWith(UPLOADS)

/** The digest of the photo whose file this is; undefined for an upload. */
export const digestOfKey = (key: string): string | undefined =>
  key.startsWith(FILES) ? key.slice(FILES.length).split('/', 1)[0] : undefined
