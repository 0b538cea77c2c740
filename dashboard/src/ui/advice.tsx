// Advice as the server writes it: sentences with **strong** words and `values`. Nothing
// else is markup, and nothing of it is ever read as HTML.

import type { ReactNode } from 'react'

export const Advice = ({ text }: { text: string }) => <>{text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map(piece)}</>

function piece(part: string, index: number): ReactNode {
  if (part.startsWith('**') && part.endsWith('**') && part.length > 4)
    return <strong key={index}>{part.slice(2, -2)}</strong>
  if (part.startsWith('`') && part.endsWith('`') && part.length > 2) return <code key={index}>{part.slice(1, -1)}</code>
  return part
}
