// The notes of members about a request.

import { Type, type Static } from 'typebox'
import { Time } from './accounts.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'
import { NOTES_MAX, NOTE_LENGTH_MAX, orderId } from './orders.ts'

export const Note = Type.Object(
  {
    number: Type.Integer({ minimum: 1, maximum: NOTES_MAX, description: 'Counted per request.' }),
    author: Type.String({ description: 'The account that wrote it.' }),
    createdAt: Time,
    text: Type.String({ maxLength: NOTE_LENGTH_MAX }),
  },
  { $id: 'Note', description: 'A note of a member about a request. No visitor sees it.' },
)
export type Note = Static<typeof Note>
export const Notes = Type.Array(Note, { $id: 'Notes', maxItems: NOTES_MAX })
const noteExample = {
  number: 1,
  author: 'acc_3d2f8a1b6c7e',
  createdAt: '2026-11-15T09:00:00Z',
  text: 'Called twice; has a garden.',
}

export const listNotes = {
  operationId: 'listNotes',
  method: 'GET',
  path: '/projects/{project}/orders/{orderId}/notes',
  tag: 'orders',
  access: 'viewer',
  summary: 'List the notes about a request',
  description: 'All of them, oldest first.',
  parameters: { project: projectSlug, orderId },
  success: { status: 200, description: 'The notes.', schema: Notes, headers: ['ETag'], example: [noteExample] },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const NewNote = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: NOTE_LENGTH_MAX }) },
  { $id: 'NewNote', additionalProperties: false },
)
export const noteFault = `'text' must have 1 to ${NOTE_LENGTH_MAX} characters, not only white space and without control characters.`

export const addNote = {
  operationId: 'addNote',
  method: 'POST',
  path: '/projects/{project}/orders/{orderId}/notes',
  tag: 'orders',
  access: 'admin',
  summary: 'Add a note about a request',
  description: `For the members of the project alone. At most ${NOTES_MAX} per request; then rejected with \`limit_reached\`.`,
  parameters: { project: projectSlug, orderId },
  body: {
    schema: NewNote,
    faults: { text: noteFault },
    examples: { one: { summary: 'A note', value: { text: noteExample.text } } },
  },
  success: { status: 201, description: 'The note.', schema: Note, headers: [], example: noteExample },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const orderNoteOperations: readonly PlatformOperation[] = [listNotes, addNote]
