// The error of a whole form, shown below it and announced when it appears.

export const FormError = ({ message }: { message: string | undefined }) => (
  <div role="alert" className="said">
    {message !== undefined && <div className="note bad">{message}</div>}
  </div>
)
