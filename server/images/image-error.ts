/** Why there is no picture: 404 not there, 422 no picture in it, 503 not now. */
export class ImageError extends Error {
  readonly status: 404 | 422 | 503;

  constructor(status: 404 | 422 | 503, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
