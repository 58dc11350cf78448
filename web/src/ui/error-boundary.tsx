import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = {
  renderError: (error: unknown) => ReactNode
  /** With another one what failed is tried again. */
  resetKey?: string
  children: ReactNode
}

/** Catches what fails while drawing, such as a part that could not be loaded. React knows only classes for this. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps): void {
    if (resetKey !== this.props.resetKey && this.state.error !== undefined) this.setState({ error: undefined })
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : this.props.renderError(this.state.error)
  }
}
