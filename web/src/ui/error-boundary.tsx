import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = {
  renderError: (error: unknown) => ReactNode
  /** With another one what failed is tried again. */
  resetKey?: string
  children: ReactNode
}

type ErrorBoundaryState = { error: unknown; resetKey: string | undefined }

/** Catches what fails while drawing, such as a part that could not be loaded. React knows only classes for this. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Pick<ErrorBoundaryState, 'error'> {
    return { error }
  }

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: ErrorBoundaryState): ErrorBoundaryState {
    return resetKey === state.resetKey ? state : { error: undefined, resetKey }
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : this.props.renderError(this.state.error)
  }
}
