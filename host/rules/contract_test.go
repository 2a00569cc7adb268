package rules_test

import (
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/scene"
)

// An instance is what a region calls. The region does not know this package, nor this one the region.
var _ scene.Rule = (*rules.Instance)(nil)
