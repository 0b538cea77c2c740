// Words of the photos of an animal: adding them, putting them in order, and what they show.

const number = new Intl.NumberFormat()
const percent = new Intl.NumberFormat(undefined, { style: 'percent' })
const photosOf = (count: number) => (count === 1 ? '1 photo' : `${number.format(count)} photos`)
const at = (place: number, count: number) =>
  `Photo ${number.format(place + 1)} of ${number.format(count)}${place === 0 ? ', cover' : ''}`

export const photos = {
  title: 'Photos',
  counted: (count: number, most: number) => `${number.format(count)} of ${number.format(most)}`,
  add: 'Add photos',
  take: 'Take a photo',
  drop: 'Drop photos or browse',
  dropHere: 'Drop them here',
  empty: 'Visitors look at photos first',
  emptyText: 'Drop photos here, paste them, or choose several at once. They are on your site within seconds.',
  emptyViewer: 'There are no photos yet.',
  standIn: 'Until there is a photo, visitors see this drawing.',
  cover: 'Cover',
  full: (most: number) => `An animal can have at most ${number.format(most)} photos.`,
  leftOut: (count: number, most: number) =>
    `${photosOf(count)} left out: an animal can have at most ${number.format(most)}. Delete one to make room.`,
  howToOrder: 'Drag photos to put them in order. The first one is the cover.',
  howToOrderByTouch: 'Hold a photo to move it. The first one is the cover.',
  keys: 'Space picks the photo up, arrow keys move it, Space drops it, Escape puts it back. Enter opens its details.',

  /** The name of a photo for people who hear it. */
  name: (place: number, count: number, alt: string) => (alt === '' ? at(place, count) : `${at(place, count)}: ${alt}`),
  at,
  pickedUp: (place: number, count: number) =>
    `${at(place, count)}, picked up. Use the arrow keys to move it, Space to drop it, Escape to put it back.`,
  dropped: (place: number, count: number) => `Dropped. ${at(place, count)}`,
  putBack: (place: number, count: number) => `Put back. ${at(place, count)}`,
  wasDeleted: 'The photo was deleted',
  added: (count: number) => `${photosOf(count)} added. They will be on your site in a moment.`,

  menu: (place: number) => `Actions for photo ${number.format(place + 1)}`,
  details: 'Description and focus',
  makeCover: 'Make cover',
  earlier: 'Move earlier',
  later: 'Move later',
  turnLeft: 'Rotate left',
  turnRight: 'Rotate right',
  delete: 'Delete',
  deleteTitle: 'Delete this photo?',
  deleteText: 'It disappears from your site at once. This cannot be undone.',
  deleteDo: 'Delete photo',

  alt: 'What the photo shows',
  altHint: 'Read aloud to people who cannot see it. If it is empty, we describe it by name and breed.',
  focus: 'What must stay in the picture',
  focusHint: 'Cards show a square. Choose the point that it is cut around, such as the face.',
  asCard: 'As a card',
  cell: (x: number, y: number) => `${rows[y]}, ${columns[x]}`,
  save: 'Save',

  waiting: 'Waiting',
  sending: (share: number) => percent.format(share),
  sendingOf: (file: string) => `Uploading ${file}`,
  pausing: 'Interrupted',
  pausingText: 'The connection was interrupted. We will try again in a moment.',
  processing: 'Preparing',
  failed: 'Not added',
  tryAgain: 'Try again',
  remove: 'Remove',
  cancelOf: (file: string) => `Cancel ${file}`,
  removeOf: (file: string) => `Remove ${file} from this list`,
  retryOf: (file: string) => `Try again: ${file}`,
  problems: 'Photos with a problem',
  pasted: 'Pasted picture',

  tooLarge: 'This file is too large: a photo can have up to 20 MB. Send a smaller one.',
  notAPhoto: 'This file is not a photo. Choose a JPEG, PNG or WebP file.',
  reasons: {
    damaged: 'This photo is damaged. Delete it, and add it again from the original.',
    memory: 'This photo is too large to be prepared. Delete it, and add a smaller one.',
    time: 'This photo took too long to prepare. Delete it, and add a smaller one.',
    internal: 'We could not prepare this photo. Delete it, and add it again.',
  },

  conflict:
    'Another member added or deleted photos at the same time. You see all of them now: put them in order again.',
  leave: 'Leave while photos are uploading?',
  leaveText: 'Photos that are not uploaded yet would not be added.',
  leaveDo: 'Leave',
}

const rows = ['Top', 'Upper half', 'Middle', 'Lower half', 'Bottom']
const columns = ['far left', 'left', 'centre', 'right', 'far right']
