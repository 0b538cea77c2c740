// The error of a whole form, shown below it and announced when it appears.

export const FormError = ({ words }: { words: string | undefined }) => (
  <div role="alert" className="said">
    {words !== undefined && <div className="note bad">{words}</div>}
  </div>
)
