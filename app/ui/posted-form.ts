import { data } from "react-router";

/** The fields of a form that was posted without JavaScript. @throws a 400 response for another body */
export async function readPostedForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw data("The form could not be read.", { status: 400 });
  }
}
