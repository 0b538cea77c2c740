// The sentence for a request to the control plane that got no complete response. It never contains
// a header or a part of the response: those may contain the token or a key.

import type { HttpFailure } from '../foundation/http/http-client.io.ts'

export function failureSentence({ why, code, message }: HttpFailure, tooLarge: string): string {
  if (why === 'late') return 'The control plane did not answer in time.'
  if (why === 'broken') return 'The control plane broke off its answer.'
  return why === 'too_large' ? tooLarge : `The control plane cannot be asked: ${code ?? message}.`
}
