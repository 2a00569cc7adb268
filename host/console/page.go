package console

import (
	"embed"
	"mime"
	"path"

	"github.com/labstack/echo/v4"
)

//go:embed dist
var dist embed.FS

// page serves a file of the page.
func page(name string) echo.HandlerFunc {
	kind := mime.TypeByExtension(path.Ext(name))
	return func(x echo.Context) error {
		b, err := dist.ReadFile("dist/" + name)
		if err != nil {
			return err
		}
		return x.Blob(200, kind, b)
	}
}
