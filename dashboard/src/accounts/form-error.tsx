// What is wrong with a whole form, told below it and read aloud when it appears.

export const FormError = ({ words }: { words: string | undefined }) => (
  <div role="alert" className="said">
    {words !== undefined && <div className="note bad">{words}</div>}
  </div>
)
