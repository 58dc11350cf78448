/** React component: red box with the error `message` of a form. Screen readers announce it when it appears. */
export const FormError = ({ message }: { message: string }) => (
  <p role="alert" className="rounded-control bg-crit-soft px-3 py-2 text-note text-crit wrap-anywhere">
    {message}
  </p>
)
