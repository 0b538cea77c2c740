// Chooses the file of an import, by a dialog of the browser or by dropping it. It is sent at once: nothing changes in
// the store before the owner has seen what would.

import { Upload } from 'lucide-react'
import { useState } from 'react'
import * as texts from '../texts/texts.ts'
import { FileDrop } from './file-drop.tsx'

const words = texts.imports

export function FileChoice({ onFile }: { onFile: (file: File) => void }) {
  const [fault, setFault] = useState<string>()
  const take = ([first]: readonly File[]) => {
    if (!first) return
    const wrong = faultOf(first)
    setFault(wrong)
    if (wrong === undefined) onFile(first)
  }
  return (
    <>
      <FileDrop
        icon={Upload}
        choose={words.choose}
        orDrop={words.orDrop}
        accept=".csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values"
        onFiles={take}
      />
      {fault !== undefined && (
        <div className="note warn" role="alert">
          {fault}
        </div>
      )}
    </>
  )
}

/** Only what can be seen from outside; what is in the file is for the server to judge. */
function faultOf({ name, size }: File): string | undefined {
  if (!/\.(csv|tsv|txt|xlsx)$/i.test(name)) return words.otherFile
  return size === 0 ? words.emptyFile : undefined
}
